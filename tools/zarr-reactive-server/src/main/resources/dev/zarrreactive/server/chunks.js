// How the chunks of an array lie, and which of them are stored.

const { ceil, floor, max, min } = Math;
const MOST = 10000; // chunks that the server tells of at once

export const times = (numbers) => numbers.join(' × ');

export const edgeText = (edges) =>
	times(edges.map((e) => (Array.isArray(e) ? `(${e.slice(0, 4).join(', ')}${e.length > 4 ? ', …' : ''})` : e)));

export const layoutText = ({ shards, chunks }) => (shards ? `shards ${edgeText(shards)}, ` : '') + `chunks ${edgeText(chunks)}`;

function chunkOf(edge, i) {
	if (!Array.isArray(edge)) return floor(i / edge);
	let end = 0;
	return edge.findIndex((length) => (end += length) > i);
}

const startOf = (edge, k) => (Array.isArray(edge) ? edge.slice(0, k).reduce((a, b) => a + b, 0) : k * edge);

/** Returns the borders between chunks in the window; none that are too close to see. */
export function borders(edge, n, from, to, pixels) {
	const found = [];
	if (Array.isArray(edge)) {
		let at = 0;
		for (const length of edge) if ((at += length) > from && at < to && at < n) found.push(at);
	} else if (edge > 0 && (edge * pixels) / (to - from) >= 4) {
		for (let at = max(edge, ceil(from / edge) * edge); at < min(to, n); at += edge) found.push(at);
	}
	return found.length * 4 > pixels ? [] : found;
}

/** Returns the chunks to ask for: the plane, else the window, else null. */
export function selectionOf({ x, y, shape, index, layout, window: w }, colour) {
	const ends = (d, from, to) => [max(0, floor(from)), min(shape[d], ceil(to))];
	for (const isWhole of [true, false]) {
		let size = 1;
		const parts = shape.map((n, d) => {
			if (d !== x && d !== y && d !== colour) return index[d];
			const [from, to] = isWhole || d === colour ? [0, n] : d === x ? ends(d, w.x0, w.x1) : ends(d, w.y0, w.y1);
			size *= chunkOf(layout.chunks[d], to - 1) - chunkOf(layout.chunks[d], from) + 1;
			return `${from}:${to}`;
		});
		if (size <= MOST) return parts.join(',');
	}
	return null;
}

/** Returns the smallest chunks that are told of, and their edges. */
const finest = (layout, told) => (told.chunks ? [told.chunks, layout.chunks] : [told.shards, layout.shards]);

/** Finds the missing chunks: the ends of their columns and rows. */
export function* missing({ x, y, shape, layout }, told) {
	if (!told) return;
	const [{ first, counts, stored }, edges] = finest(layout, told);
	const ends = (d, position) => {
		if (d < 0) return [0, 1];
		const behind = counts.slice(d + 1).reduce((a, b) => a * b, 1);
		const k = first[d] + (floor(position / behind) % counts[d]);
		return [startOf(edges[d], k), min(shape[d], startOf(edges[d], k + 1))];
	};
	for (let at = stored.indexOf('0'); at >= 0; at = stored.indexOf('0', at + 1)) yield [ends(x, at), ends(y, at)];
}

/** Says in which chunk an element is, and whether that is missing. */
export function chunkText(layout, told, element) {
	const [{ first, counts, stored }, edges] = finest(layout, told);
	const chunk = element.map((i, d) => chunkOf(edges[d], i));
	const isTold = chunk.every((k, d) => k >= first[d] && k < first[d] + counts[d]);
	const position = chunk.reduce((at, k, d) => at * counts[d] + k - first[d], 0);
	return `${told.chunks ? 'chunk' : 'shard'} [${chunk.join(', ')}]${isTold && stored[position] === '0' ? ' is missing' : ''}`;
}

/** Says how many chunks are stored. */
export function countText(told) {
	const count = (name) => {
		const digits = told[name].stored;
		return `${digits.replaceAll('0', '').length} of ${digits.length} ${name}`;
	};
	return `${['shards', 'chunks'].filter((name) => told[name]).map(count).join(' and ')} stored`;
}

/** Returns the parts of the chunks along a dimension that a span of elements has. */
function partsOf(edge, { from, to }) {
	const parts = [];
	for (let k = chunkOf(edge, from); startOf(edge, k) < to && (!parts.length || startOf(edge, k) > parts.at(-1)[0]); k++) {
		parts.push([max(from, startOf(edge, k)), min(to, startOf(edge, k + 1))]);
	}
	return parts;
}

/** Returns the boxes of the chunks of a part of a plane, in C order. */
export function boxesOf(edges, x, y, xs, ys) {
	const columns = partsOf(edges[x], xs);
	return partsOf(edges[y], ys).flatMap(([y0, y1]) => columns.map(([x0, x1]) => [x0, y0, x1, y1]));
}

/** Returns how many chunks have one of the elements. */
export function countIn({ x, y, shape, layout }, xs, ys, colour) {
	const along = (d, { from, step, count }) => {
		if (d < 0) return 1;
		const found = new Set();
		for (let i = 0; i < count; i++) found.add(chunkOf(layout.chunks[d], from + i * step));
		return found.size;
	};
	return along(x, xs) * along(y, ys) * along(colour, { from: 0, step: 1, count: shape[colour] });
}

/** Yields the parts of chunks in the body of a slice: their places in it, and their elements. */
export async function* framesOf(body, rank, size) {
	const reader = body.getReader();
	let part = new Uint8Array(8 * rank);
	let head = null;
	let filled = 0;
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return;
		for (let at = 0; at < value.length;) {
			const n = min(part.length - filled, value.length - at);
			part.set(value.subarray(at, at + n), filled);
			at += n;
			filled += n;
			if (filled < part.length) continue;
			filled = 0;
			if (head) {
				yield { ...head, data: part };
				head = null;
				part = new Uint8Array(8 * rank);
			} else {
				const numbers = [...new Int32Array(part.buffer)];
				head = { first: numbers.filter((n, i) => i % 2 === 0), counts: numbers.filter((n, i) => i % 2) };
				part = new Uint8Array(head.counts.reduce((a, b) => a * b, size));
			}
		}
	}
}
