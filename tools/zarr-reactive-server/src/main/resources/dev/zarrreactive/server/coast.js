// The coasts of the Earth, over maps whose columns are longitudes and whose rows are latitudes.
// Natural Earth, 1:110 million, public domain, simplified to 0.15 degrees.

import { placing } from './axes.js';

let lines = null; // in hundredths of a degree
let asked = null;

/** Returns whether a dimension has longitudes or latitudes, by their units. */
export const isAlong = (coordinate, letter) => Boolean(coordinate?.number)
	&& RegExp(`^degrees?_?${letter}`, 'i').test(coordinate.units || '');

async function read() {
	const numbers = new Int16Array(await (await fetch('coast.bin')).arrayBuffer());
	const found = [];
	for (let at = 0; at < numbers.length; at += 1 + 2 * numbers[at]) found.push(numbers.subarray(at + 1, at + 1 + 2 * numbers[at]));
	lines = found;
}

/** Reads the coasts, once. */
export const load = () => (asked ??= read());

/** Adds the coasts to the path of a pen if they are read; `x` and `y` tell where an index is. */
export function trace(pen, [longitudes, columns, x], [latitudes, rows, y]) {
	if (!lines) return false;
	const [i, j] = [placing(longitudes.number, 0, columns - 1), placing(latitudes.number, 0, rows - 1)];
	const ends = [longitudes.number(0), longitudes.number(columns - 1)];
	const [west, east] = [Math.min(...ends) - 2, Math.max(...ends) + 2];
	for (let turn = -360; turn <= 360; turn += 360) {
		if (west > turn + 180 || east < turn - 180) continue;
		for (const line of lines) {
			for (let at = 0; at < line.length; at += 2) {
				const place = [x(i(line[at] / 100 + turn)), y(j(line[at + 1] / 100))];
				if (at) pen.lineTo(...place);
				else pen.moveTo(...place);
			}
		}
	}
	return true;
}
