// The coordinates along a dimension: texts of indices and, where they are in order, numbers.

const { abs, ceil, floor, log10, max, min } = Math;

/** Dates and names. */
export const texts = (values) => ({ text: (i) => String(values[i]).replace(/T00:00(:00)?$/, '').replace('T', ' ') });

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

/** Returns places and texts of round coordinates, else of round indices. */
export function ticks(coordinate, first, last, most) {
	const at = coordinate?.number || ((i) => i);
	const [a, b] = [at(first), at(last)];
	const least = max(abs(b - a) / most, coordinate?.number ? 0 : 1);
	const size = 10 ** floor(log10(least));
	const step = [1, 2, 5, 10].find((k) => k * size >= least) * size;
	const found = [];
	for (let k = 0; k <= most; k++) {
		const value = (ceil(min(a, b) / step) + k) * step;
		if (!(value <= max(a, b))) break;
		let [low, high] = [first, last];
		while (high - low > 1) {
			const middle = floor((low + high) / 2);
			if (at(middle) <= value === a < b) low = middle;
			else high = middle;
		}
		const part = (value - at(low)) / (at(high) - at(low) || 1);
		found.push([low + part * (high - low) + 0.5, coordinate && !coordinate.number ? coordinate.text(value) : String(+value.toPrecision(12))]);
	}
	return found.length || !coordinate ? found : [[(first + last + 1) / 2, coordinate.text(floor((first + last) / 2))]];
}
