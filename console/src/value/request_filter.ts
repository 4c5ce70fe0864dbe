// The filter of the list of requests: words, and op: caller: status: error ms> units>. What means
// nothing is looked for as a word.

export interface Filterable {
  operation: string;
  error: string;
  status: number;
  us: number;
  read_units: number;
  write_units: number;
  caller: string;
  remote: string;
  table: string;
}

type Test = (request: Filterable) => boolean;

function testOf(word: string): Test {
  const lower = word.toLowerCase();
  const has = (text: string, part: string) => text.toLowerCase().includes(part);
  if (lower === "error") return (request) => request.error !== "";
  const named = /^(op|caller|status|table):(.+)$/.exec(lower);
  if (named !== null) {
    const [, name, value = ""] = named;
    if (name === "op") return (request) => has(request.operation, value);
    if (name === "caller") return (request) => has(request.caller, value);
    if (name === "table") return (request) => has(request.table, value);
    return (request) => String(request.status) === value;
  }
  const bound = /^(ms|units)([<>])(\d+(?:\.\d+)?)$/.exec(lower);
  if (bound !== null) {
    const limit = Number(bound[3]);
    const figure = (request: Filterable) => (bound[1] === "ms" ? request.us / 1000 : request.read_units + request.write_units);
    return (request) => (bound[2] === ">" ? figure(request) > limit : figure(request) < limit);
  }
  return (request) => [request.operation, request.error, request.caller, request.remote, request.table].some((text) => has(text, lower));
}

export function requestFilter(text: string): Test {
  const tests = text.split(/\s+/).filter((word) => word !== "").map(testOf);
  return (request) => tests.every((test) => test(request));
}
