// A workflow as the server tells it (docs/sessions.md): its steps as a graph, and its kinds of records.

export interface Machine {
  attribute: string;
  working: string;
  done: string;
  failed: string;
}

export interface Kind {
  name: string;
  prefix: string; // of the sort key
  step: string; // empty: no invalidation touches it
  machine: Machine;
  errorAttribute: string;
  list: string; // of results of items; empty: no items
  phaseAttribute: string;
  failedPhase: string;
  totalAttribute: string;
  doneAttribute: string;
}

export interface Step {
  name: string;
  after: string[];
  hasFiles: boolean;
}

export interface Workflow {
  name: string;
  prefix: string; // of the partition key
  steps: Step[];
  kinds: Kind[];
}

type Members = { [name: string]: unknown };

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

const text = (members: Members, name: string, otherwise = ""): string => (typeof members[name] === "string" ? members[name] : otherwise);
const list = (members: Members, name: string): unknown[] => (Array.isArray(members[name]) ? (members[name] as unknown[]) : []);
const texts = (members: Members, name: string): string[] => list(members, name).filter((one): one is string => typeof one === "string");

function kindOf(value: unknown): Kind {
  const members = membersOf(value);
  const machine = membersOf(members["machine"]);
  const items = membersOf(members["items"]);
  return {
    name: text(members, "name"),
    prefix: text(members, "prefix"),
    step: text(members, "step"),
    machine: { attribute: text(machine, "attribute", "status"), working: text(machine, "working"), done: text(machine, "done"), failed: text(machine, "failed") },
    errorAttribute: text(members, "error_attribute", "error"),
    list: text(items, "list"),
    phaseAttribute: text(items, "phase_attribute", "phase"),
    failedPhase: text(items, "failed_phase", "error"),
    totalAttribute: text(items, "total_attribute", "totalCount"),
    doneAttribute: text(items, "done_attribute", "completedCount"),
  };
}

export function workflowOf(value: unknown): Workflow {
  const members = membersOf(value);
  const steps = list(members, "steps").map(membersOf);
  return {
    name: text(members, "name"),
    prefix: text(members, "partition_prefix", "SESSION#"),
    steps: steps.map((step) => ({ name: text(step, "name"), after: texts(step, "after"), hasFiles: texts(step, "blob_folders").length > 0 })),
    kinds: list(members, "kinds").map(kindOf),
  };
}

export function kindOfKey(workflow: Workflow, sortKey: string): Kind | undefined {
  return workflow.kinds.find((kind) => kind.prefix !== "" && sortKey.startsWith(kind.prefix));
}

// The step and all that depend on it, in the order of the workflow; without the step itself.
export function stepsFrom(workflow: Workflow, step: string, withStep: boolean): string[] {
  const reached = new Set([step]);
  // Steps may stand in any order, so until nothing is added.
  for (let size = 0; size !== reached.size;) {
    size = reached.size;
    for (const other of workflow.steps) if (other.after.some((name) => reached.has(name))) reached.add(other.name);
  }
  return workflow.steps.map((other) => other.name).filter((name) => reached.has(name) && (withStep || name !== step));
}

export interface Place {
  step: Step;
  layer: number;
  row: number; // within its layer
  rows: number; // of the layer
}

// From left to right: behind the last of those that it depends on.
export function layOut(workflow: Workflow): Place[] {
  const layers = new Map<string, number>();
  const layerOf = (name: string, path: ReadonlySet<string>): number => {
    const known = layers.get(name);
    const step = workflow.steps.find((other) => other.name === name);
    if (known !== undefined || step === undefined || path.has(name)) return known ?? 0;
    const layer = Math.max(0, ...step.after.map((before) => layerOf(before, new Set([...path, name])) + 1));
    layers.set(name, layer);
    return layer;
  };
  const places = workflow.steps.map((step) => ({ step, layer: layerOf(step.name, new Set()) }));
  return places.map((place) => {
    const beside = places.filter((other) => other.layer === place.layer);
    return { ...place, row: beside.indexOf(place), rows: beside.length };
  });
}
