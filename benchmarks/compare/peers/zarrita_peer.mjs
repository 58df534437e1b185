// zarrita as a client of the comparison: see PeerProcess.java.
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";
import * as zarr from "zarrita";
import { FetchStore, FileSystemStore } from "@zarrita/storage";

const manifest = new URL("./node_modules/zarrita/package.json", import.meta.url);
if (process.argv.includes("--check")) {
  console.log(JSON.parse(readFileSync(manifest)).version);
  process.exit(0);
}

const unsupported = (reason) => Object.assign(new Error(reason), { unsupported: true });

function selection(text) {
  if (text === "...") return null;
  if (text.includes("[")) throw unsupported("no lists");
  return text.split(",").map((part) => {
    if (!part.includes(":")) return Number(part);
    const [from, to, step] = part.split(":").map((each) => (each ? Number(each) : null));
    return zarr.slice(from, to, step ?? null);
  });
}

const store = (location) =>
  location.startsWith("http") ? new FetchStore(location.replace(/\/$/, "")) : new FileSystemStore(location);

const here = (location) => {
  if (location.startsWith("memory:") || location.startsWith("s3+")) throw unsupported("not measured");
  return location;
};

const opened = (location, name) =>
  zarr.open.v3(zarr.root(store(here(location))).resolve("/" + name), { kind: "array" });

function total(result) {
  if (typeof result === "number") return BigInt(result);
  let sum = 0;
  for (const value of result.data) sum += value;
  return BigInt(sum);
}

async function timed(work) {
  const begun = process.hrtime.bigint();
  const result = await work();
  return [process.hrtime.bigint() - begun, result];
}

const commands = {
  async read(location, array, argument) {
    const one = await opened(location, array);
    const [nanos, result] = await timed(() => zarr.get(one, selection(argument)));
    return [nanos, total(result)];
  },
  async many(location, array, argument) {
    const one = await opened(location, array);
    const selections = argument.split("|").map(selection);
    const [nanos, results] = await timed(() =>
      Promise.all(selections.map((each) => zarr.get(one, each))));
    return [nanos, results.reduce((sum, each) => sum + total(each), 0n)];
  },
  async open(location, array, argument) {
    const [names, groups, arrays] = argument.split(" ");
    const paths = [];
    for (let g = 0; g < groups; g++) {
      for (let a = 0; a < arrays; a++) {
        paths.push(array + "/" + names.replace("%d", g).replace("%d", a));
      }
    }
    const [nanos, results] = await timed(() =>
      Promise.all(paths.map((each) => opened(location, each))));
    return [nanos, BigInt(results.reduce((sum, each) => sum + each.shape[0], 0))];
  },
  async points() { throw unsupported("no points"); },
  async walk() { throw unsupported("no walk"); },
  async stream() { throw unsupported("no streams"); },
  async update() { throw unsupported("not measured"); },
  async write() { throw unsupported("not measured"); },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [command, ...words] = line.split("\t");
  let answer;
  try {
    const [nanos, checksum] = await commands[command](...words);
    answer = `ok\t${nanos}\t${checksum}`;
  } catch (e) {
    answer = `${e.unsupported ? "unsupported" : "failed"}\t${String(e.message).replace(/\s+/g, " ").slice(0, 200)}`;
  }
  process.stdout.write(answer + "\n");
}
