// The coordinates along a dimension: texts of indices and, where they are in order, numbers.

const { abs, ceil, floor, log10, max, min } = Math;

/** Where a date has years, months, days, hours and minutes, and the steps of ticks. */
const PARTS = [[0, 4, [500, 100, 50, 20, 10, 5, 2, 1]], [5, 7, [6, 3, 1]], [8, 10, [10, 5, 2, 1]], [11, 13, [12, 6, 3, 1]], [14, 16, [30, 10, 5, 1]]];

/** Dates and names. */
export function texts(values) {
	const isDate = /^\d{4}-\d\d-\d\d/.test(values[0]);
	return { text: (i) => String(values[i]).replace(/T00:00(:00)?$/, '').replace('T', ' '), dates: isDate ? values : null };
}

export function numbers(values, text) {
	const isUp = values[1] > values[0];
	const isOrdered = values.every((value, i) => !i || (isUp ? value > values[i - 1] : value < values[i - 1]));
	return { text: (i) => text(values[i]), number: isOrdered ? (i) => Number(values[i]) : null };
}

/** Lengths and times of an image of OME-Zarr. */
export function measured({ scale, translation, unit }) {
	const number = (i) => i * scale + translation;
	return scale && { text: (i) => `${+number(i).toPrecision(6)} ${unit}`, number };
}

/** Returns the function that finds the place of a number, also beyond the first and the last index. */
export function placing(number, first, last) {
	const isUp = number(first) < number(last);
	return (value) => {
		let [low, high] = [first, last];
		while (high - low > 1) {
			const middle = floor((low + high) / 2);
			if (number(middle) <= value === isUp) low = middle;
			else high = middle;
		}
		return low + (value - number(low)) / (number(high) - number(low) || 1) + 0.5;
	};
}

/** Returns the first indices of years, months, days or hours. */
function ticksOfDates({ dates, text }, first, last, most) {
	let found = [];
	for (const [from, to, steps] of PARTS) {
		for (const step of steps) {
			const next = [];
			for (let i = first; i <= last && next.length <= most + 1; i++) {
				const now = dates[i].slice(0, to);
				if (now === dates[i - 1]?.slice(0, to) || (now.slice(from) - (from === 5 || from === 8)) % step) continue;
				next.push([i + 0.5, /^(-01)*(T00(:00)*)?$/.test(dates[i].slice(to)) ? now.replace('T', ' ') : text(i)]);
			}
			if (next.length > most + 1) return found;
			if (next.length > found.length) found = next;
		}
	}
	return found;
}

/** Returns places and texts of round coordinates, else of round indices. */
export function ticks(coordinate, first, last, most) {
	if (coordinate?.dates) {
		const key = [first, last, most].join();
		if (coordinate.key !== key) Object.assign(coordinate, { key, ticks: ticksOfDates(coordinate, first, last, most) });
		if (coordinate.ticks.length > 1) return coordinate.ticks;
	}
	const at = coordinate?.number || ((i) => i);
	const [a, b] = [at(first), at(last)];
	const least = max(abs(b - a) / most, coordinate?.number ? 0 : 1);
	const size = 10 ** floor(log10(least));
	const step = [1, 2, 5, 10].find((k) => k * size >= least) * size;
	const place = placing(at, first, last);
	const found = [];
	for (let k = 0; k <= most; k++) {
		const value = (ceil(min(a, b) / step) + k) * step;
		if (!(value <= max(a, b))) break;
		found.push([place(value), coordinate && !coordinate.number ? coordinate.text(value) : String(+value.toPrecision(12))]);
	}
	return found.length || !coordinate ? found : [[(first + last + 1) / 2, coordinate.text(floor((first + last) / 2))]];
}
