// Reads arrays with zarrita, from a server and from a directory.
//
// Usage: node read_with_zarrita.mjs MANIFEST
//
// MANIFEST is a JSON document: {"url": ..., "directory": ..., "arrays": [{"name": ..., "path": ...,
// "format": 2 or 3}]}; the path is below the URL and below the directory. Prints a JSON object per
// line: {"version": ...} first, then for each array {"name": ..., "server": RESULT, "disk": RESULT}.
// RESULT is the SHA-256 of the elements, in C order, little-endian and packed; of strings
// {"elements": [...]}; {"error": "NAME: message"} for an array that zarrita does not read.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.on('unhandledRejection', () => {}); // zarrita looks for all codecs at once, and awaits one

const manifest = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const zarr = await import('zarrita');
const { default: FileSystemStore } = await import('@zarrita/storage/fs');
let place = dirname(fileURLToPath(import.meta.resolve('zarrita')));
while (!place.endsWith('zarrita')) place = dirname(place);
console.log(JSON.stringify({ version: JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')).version }));

/** Returns the positions of all elements in C order. */
function* positions(shape, stride, d = 0, at = 0) {
	if (d === shape.length) {
		yield at;
		return;
	}
	for (let i = 0; i < shape[d]; i++) yield* positions(shape, stride, d + 1, at + i * stride[d]);
}

function packed({ data, shape, stride }) {
	const size = data.BYTES_PER_ELEMENT ?? (data.chars ? data.chars * (data instanceof zarr.UnicodeStringArray ? 4 : 1) : 1);
	const bytes = new Uint8Array(data.buffer, data.byteOffset ?? 0, data.length * size);
	const order = [...positions(shape, stride)];
	const result = new Uint8Array(order.length * size);
	order.forEach((from, to) => result.set(bytes.subarray(from * size, (from + 1) * size), to * size));
	return result;
}

async function read(store, { path, format }) {
	try {
		const array = await zarr.open[`v${format}`](zarr.root(store).resolve('/' + path), { kind: 'array' });
		const got = array.shape.length ? await zarr.get(array) : await array.getChunk([]);
		if (Array.isArray(got.data)) {
			return { elements: [...positions(got.shape, got.stride)].map((at) => got.data[at]) };
		}
		return createHash('sha256').update(packed(got)).digest('hex');
	} catch (error) {
		const causes = [];
		for (let e = error; e; e = e.cause) causes.push(`${e.name}: ${e.message}`);
		return { error: causes.join(' / ').replaceAll('\n', ' ') };
	}
}

for (const array of manifest.arrays) {
	const server = await read(new zarr.FetchStore(manifest.url), array);
	const disk = await read(new FileSystemStore(manifest.directory), array);
	console.log(JSON.stringify({ name: array.name, server, disk }));
}
