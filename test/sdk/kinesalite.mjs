// Kinesis for tests: kinesalite on a loopback port, a free one or the one that is given. Prints the
// port, and ends when its standard input does.

import { fileURLToPath } from "node:url";
import kinesalite from "kinesalite";

export function startKinesis(port = 0) {
  const server = kinesalite({ createStreamMs: 20, deleteStreamMs: 20 });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      resolve({ endpoint: `http://127.0.0.1:${server.address().port}`, server });
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { server } = await startKinesis(Number(process.argv[2] ?? 0));
  console.log(server.address().port);
  process.stdin.resume().on("end", () => process.exit(0));
}
