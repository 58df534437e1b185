// The colours of several channels in one picture, and of labels.

const { floor, max, min } = Math;

export const pixel = (r, g, b, alpha) => ((alpha << 24) | (b << 16) | (g << 8) | r);

const USUAL = [[0, 255, 0], [255, 0, 255], [0, 180, 255], [255, 200, 0], [255, 60, 60], [255, 255, 255]];

/** Returns the channels of an image, as its attributes say that they are drawn. */
export const channelsOf = (count, names, display) => Array.from({ length: count }, (none, k) => {
	const { colour, active, inverted, start, end } = display?.[k] || {};
	return { name: names?.[k] || `channel ${k}`, colour: colour || (count === 1 ? [255, 255, 255] : USUAL[k % USUAL.length]), isOn: active ?? true, inverted,
		window: start < end ? [start, end] : null };
});

/** Returns the colour of an element, whose values begin at `at`. */
export function mixed(values, at, channels, ranges) {
	const sum = [0, 0, 0];
	channels.forEach(({ colour, isOn, inverted }, k) => {
		if (!isOn) return;
		const [low, high] = ranges[k];
		const part = max(0, min(1, (Number(values[at + k]) - low) / (high - low))) || 0;
		for (let c = 0; c < 3; c++) sum[c] += colour[c] * (inverted ? 1 - part : part);
	});
	return pixel(...sum.map((c) => min(255, floor(c))), 255);
}

/** Returns the colour of a label; 0 is no label. */
export function labelColour(label) {
	const n = Number(label);
	if (!n) return 0;
	const hue = (n * 137.508) % 360;
	const part = (k) => { const at = (k + hue / 30) % 12; return floor(255 * (0.55 - 0.4 * max(-1, min(at - 3, 9 - at, 1)))); };
	return pixel(part(0), part(8), part(4), 150);
}
