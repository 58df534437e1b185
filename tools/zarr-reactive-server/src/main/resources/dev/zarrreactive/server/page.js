// The page of a served store: its tree, a node's metadata, and a picture or a line of an array.
// Text of the store enters by textContent alone, so none of it can run.

import { measured, numbers, texts, ticks } from './axes.js';
import { borders, chunkText, countText, edgeText, layoutText, missing, selectionOf, times } from './chunks.js';

const $ = (id) => document.getElementById(id);
const { abs, ceil, floor, max, min, round } = Math;
const main = $('main');
const picture = $('picture');
const TYPES = {
	bool: Uint8Array, int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
	uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
	float16: globalThis.Float16Array, float32: Float32Array, float64: Float64Array,
};
const MOST = 1000; // elements along a side
const MOST_IN_LINE = 4000;
const PAUSE = 120; // milliseconds
const MOST_COORDINATES = 100000;
const BYTES = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3, style: 'unit', unit: 'byte', unitDisplay: 'narrow' });

const nodes = new Map(); // by path
let opened = new AbortController(); // of the node
let reading = new AbortController(); // of elements
let view = null; // of the array
let frame = 0;
let ratio = 1; // pixels in one of the page
let timer = 0;
let lastMove = 0;
let watching = 0;

function later(action, wait) {
	clearTimeout(timer);
	timer = setTimeout(action, wait);
}

function address(path, resource) {
	return [...path.split('/').filter(Boolean).map(encodeURIComponent), resource].join('/');
}

async function ask(path, resource, signal) {
	const response = await fetch(address(path, resource), { signal });
	if (response.ok) return response;
	const problem = await response.json().catch(() => ({}));
	const place = problem.instance ? ` (${problem.instance})` : '';
	throw new Error(`${problem.title || response.statusText} (${response.status}): ${problem.detail || 'no reason is given'}${place}`);
}

function say(text, isBad = false) {
	$('message').textContent = text;
	$('message').className = isBad ? 'bad' : '';
}

function failed(error, signal) {
	if (signal.aborted) return;
	main.dataset.state = 'failed';
	picture.ariaBusy = 'false';
	say(error instanceof TypeError ? `The connection ended early, or there is no server: ${error.message}` : error.message, true);
}

// the tree

function make(tag, text, ...children) {
	const element = document.createElement(tag);
	element.textContent = text;
	element.append(...children);
	return element;
}

const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1) || '/';
const parentOf = (path) => path.slice(0, path.lastIndexOf('/')) || '/';
const below = (path, name) => `${path}/${name}`.replace('//', '/');
const hashOf = (path) => '#/' + address(path, '').replace(/\/$/, '');

function itemOf(path, node) {
	const link = make('a', nameOf(path), make('small', node.shape ? `${node.data_type} ${times(node.shape)}` : node.kind));
	link.href = hashOf(path);
	link.dataset.path = path;
	return make('li', '', link);
}

const items = () => $('tree').querySelectorAll('[data-path]');

function addBranch(lists, path, isOpen) {
	if (lists.has(path)) return lists.get(path);
	const list = make('ul', '');
	const summary = make('summary', nameOf(path));
	summary.dataset.path = path;
	summary.onclick = () => { location.hash = hashOf(path); };
	const details = make('details', '', summary, list);
	details.open = isOpen;
	addBranch(lists, parentOf(path), isOpen).append(make('li', '', details));
	lists.set(path, list);
	return list;
}

async function loadTree() {
	const tree = await (await ask('', 'tree')).json();
	const top = make('ul', '', itemOf('/', { kind: 'root' }));
	const lists = new Map([['/', top]]);
	const isOpen = tree.nodes.length < 300;
	tree.nodes.sort((a, b) => (a.path < b.path ? -1 : 1));
	for (const node of tree.nodes) {
		if (node.path === '/') continue;
		nodes.set(node.path, node);
		if (node.kind === 'group') addBranch(lists, node.path, isOpen);
		else addBranch(lists, parentOf(node.path), isOpen).append(itemOf(node.path, node));
	}
	$('tree').replaceChildren(top);
	$('count').textContent = `${nodes.size} nodes` + (tree.is_complete ? '' : '; there are more than this server lists');
}

function search() {
	const text = $('search').value.trim().toLowerCase();
	const isFound = (item) => item.dataset.path.toLowerCase().includes(text);
	for (const item of $('tree').querySelectorAll('li')) {
		item.hidden = ![...item.querySelectorAll('[data-path]')].some(isFound);
		if (text && !item.hidden) item.firstElementChild.open = true;
	}
	$('count').textContent = `${text ? `${[...items()].filter(isFound).length} of ` : ''}${nodes.size} nodes`;
}

/** Shows the counts of the server. */
async function watch() {
	clearTimeout(watching);
	if (document.hidden) return;
	let [text, wait] = ['The server tells no counts.', 10000];
	try {
		const counts = await (await ask('', 'activity.json')).json();
		text = Object.entries(counts).filter(([, n]) => n >= 0).map(([name, n]) =>
			`${name.replaceAll('_', ' ')} ${name.endsWith('bytes') ? BYTES.format(n) : n.toLocaleString('en')}`).join(' · ');
		wait = 1000;
	} catch { /* it is closed */ }
	$('activity').textContent = text;
	watching = setTimeout(watch, wait);
}

// metadata

function fill(list, entries) {
	$(list).replaceChildren(...entries.flatMap(([key, value]) =>
		[make('dt', key), make('dd', typeof value === 'string' ? value : JSON.stringify(value))]));
}

function describe(node) {
	const facts = [['kind', node.kind], ['Zarr format', String(node.zarr_format)]];
	$('summary').textContent = node.kind;
	if (node.kind === 'array') {
		const { layout } = node;
		const names = namesOf(node);
		$('summary').textContent = `${node.data_type} · ${node.shape.map((n, i) => `${names[i]} ${n}`).join(', ')}`;
		facts.push(['data type', node.data_type + (node.decoded ? `, decoded to ${node.decoded.data_type}` : '')], ['shape', times(node.shape) || 'no dimension'], ['dimensions', names.join(', ')]);
		if (layout.shards) facts.push(['shard', edgeText(layout.shards)]);
		facts.push(['chunk', edgeText(layout.chunks)], ['codecs', layout.codecs.join(' ') || 'none'], ['fill value', JSON.stringify(node.document.fill_value) ?? 'none']);
	}
	if (node.error) facts.push(['error', node.error]);
	fill('facts', facts);
	const attributes = Object.entries(node.attributes || {});
	fill('attributes', attributes.length ? attributes : [['none', '']]);
	$('document').textContent = JSON.stringify(node.document, null, 2);
	$('about').hidden = false;
}

const namesOf = ({ dimensions }) => dimensions.map((name, i) => name ?? `dimension ${i}`);

async function open(path) {
	opened.abort();
	reading.abort();
	clearTimeout(timer);
	const { signal } = (opened = new AbortController());
	view = null;
	for (const id of ['plane', 'elements', 'about']) $(id).hidden = true;
	for (const item of items()) {
		item.ariaCurrent = item.dataset.path === path ? 'page' : null;
		if (item.ariaCurrent) item.scrollIntoView({ block: 'nearest' });
	}
	$('name').textContent = path;
	$('summary').textContent = '';
	document.title = `${path} – Zarr`;
	main.dataset.state = 'reading';
	delete main.dataset.drawn;
	say('');
	try {
		const node = await (await ask(path, 'metadata', signal)).json();
		if (signal.aborted) return;
		describe(node);
		if (node.kind === 'array') return await show(node, path, signal);
		const [first, ...coarser] = (node.image?.levels || []).map((level) => nodes.get(level)).filter((level) => level?.shape);
		if (first) await show(await (await ask(first.path, 'metadata', signal)).json(), first.path, signal, coarser, node.image);
		else main.dataset.state = 'described';
	} catch (error) {
		failed(error, signal);
	}
}

// an array

/** Returns the type of an array's values, and the parameter for them. */
function valuesOf({ data_type, decoded }) {
	const rules = decoded?.rules || ['time_delta'];
	return rules.includes('time_delta') ? [data_type, ''] : [rules.includes('time') ? 'time' : decoded.data_type, '&decode=true'];
}

async function show(node, path, signal, coarser = [], { axes, channels } = {}) {
	const { shape } = node;
	const [type, decode] = valuesOf(node);
	const Type = TYPES[type];
	if (!Type || !shape.length || shape.includes(0)) {
		const select = (decode && node.decoded.shape || shape).map((n, d, all) => (d < all.length - 2 ? 0 : `0:${min(n, 10)}`)).join(',') || '...';
		$('text').textContent = shape.includes(0) ? 'This array has no elements.'
			: await (await ask(path, `slice?format=json&select=${encodeURIComponent(select)}${decode}`, signal)).text();
		if (signal.aborted) return;
		$('elements').hidden = false;
		main.dataset.state = 'drawn';
		main.dataset.drawn = path;
		return;
	}
	const last = shape.length - 1;
	const isColour = type === 'uint8' && shape.length > 2 && (shape[last] === 3 || shape[last] === 4);
	const all = shape.map((n, d) => d).filter((d) => !(isColour && d === last));
	const wide = all.filter((d) => shape[d] > 1);
	const x = wide.at(-1) ?? all.at(-1);
	const y = wide.at(-2) ?? all.filter((d) => d !== x).at(-1) ?? -1;
	const levels = [{ ...node, path }, ...(decode ? [] : coarser)].map((level) => ({ ...level, sizes: shape.map((n, d) => round(n / level.shape[d])) }))
		.filter((level) => level.data_type === node.data_type && level.sizes.every((size, d) => abs(shape[d] - size * level.shape[d]) < size));
	const known = axes?.length === shape.length ? axes : [];
	const names = namesOf(node).map((name, d) => known[d]?.name || name);
	const coordinates = known.map((axis) => (axis.type === 'channel' ? channels.length && texts(channels) : measured(axis)));
	view = { node, path, shape, levels, type, decode, Type, x, y, isColour, names, layout: node.layout, index: shape.map(() => 0),
		coordinates, tiles: [], cursor: [0, 0], range: [0, 1], window: null, asked: '', told: null };
	$('colours').options[0].hidden = $('colours').options[0].disabled = !isColour;
	if (isColour) $('colours').value = 'true';
	else if ($('colours').value === 'true') $('colours').value = 'viridis';
	if ($('stretch').value === 'fixed') $('stretch').value = 'percentile';
	$('plane').hidden = false;
	$('readout').textContent = '';
	setAxes();
	for (let d = 0; d < shape.length; d++) loadCoordinate(view, d, signal);
}

/** Returns the dimension of the colours, or -1. */
const colourAxis = () => ($('colours').value === 'true' && view.isColour ? view.shape.length - 1 : -1);

function setAxes() {
	const colour = colourAxis();
	if (colour >= 0 && (view.x === colour || view.y === colour)) {
		[view.y, view.x] = [view.shape.length - 3, view.shape.length - 2];
	}
	const options = (chosen, first) => [...first, ...view.names.map((name, d) => [d, name]).filter(([d]) => d !== colour)]
		.map(([value, text]) => new Option(text, value, false, value === chosen));
	$('rows').replaceChildren(...options(view.y, [[-1, 'none: a line']]));
	$('columns').replaceChildren(...options(view.x, []));
	const sliders = view.shape.map((n, d) => {
		if (d === view.x || d === view.y || d === colour) return null;
		const slider = make('input', '');
		Object.assign(slider, { type: 'range', min: 0, max: n - 1, value: view.index[d] });
		slider.dataset.dimension = d;
		slider.oninput = () => {
			view.index[d] = +slider.value;
			showCoordinates();
			for (const tile of view.tiles) tile.isStale = true;
			reading.abort();
			forgetChunks();
			redraw();
			const isFirst = performance.now() > lastMove + PAUSE;
			lastMove = performance.now();
			later(load, isFirst ? 0 : PAUSE);
		};
		return make('label', '', make('span', view.names[d]), slider, make('output', ''));
	});
	$('sliders').replaceChildren(...sliders.filter(Boolean));
	picture.ariaLabel = view.y < 0 ? `Line of ${view.path} along ${view.names[view.x]}`
		: `Picture of ${view.path}: rows are ${view.names[view.y]}, columns are ${view.names[view.x]}`;
	view.tiles = [];
	forgetChunks();
	showCoordinates();
	whole();
}

function showCoordinates() {
	for (const slider of $('sliders').querySelectorAll('input')) {
		const d = +slider.dataset.dimension;
		slider.ariaValueText = `${view.names[d]} ${view.index[d]}${coordinate(d, view.index[d], ': ')}`;
		slider.nextElementSibling.textContent = `${view.index[d]} of ${view.shape[d]}${coordinate(d, view.index[d], ' · ')}`;
	}
}

const unitsOf = ({ units }) => (typeof units === 'string' && units !== '1' ? ' ' + units : '');
const coordinate = (d, i, before) => (view.coordinates[d] ? before + view.coordinates[d].text(i) : '');

/** Reads the array with the name of the dimension, beside this one or in a group above. */
async function loadCoordinate(of, d, signal) {
	let group = of.path;
	let beside;
	do {
		group = parentOf(group);
		beside = nodes.get(below(group, of.names[d]));
	} while (beside?.kind !== 'array' && group !== '/');
	const { path, kind, shape } = beside || {};
	const n = of.shape[d];
	if (of.coordinates[d] || path === of.path || kind !== 'array' || shape.join() !== `${n}` || n > MOST_COORDINATES) return;
	try {
		const found = await (await ask(path, 'metadata', signal)).json();
		const [type, decode] = valuesOf(found);
		const response = await ask(path, `slice?format=${TYPES[type] ? 'raw' : 'json'}${decode}`, signal);
		of.coordinates[d] = TYPES[type] ? numbers(new TYPES[type](await response.arrayBuffer()), (value) => valueText(type, value) + unitsOf(found.attributes))
			: texts(await response.json());
		if (view !== of || signal.aborted) return;
		showCoordinates();
		redraw();
	} catch (error) {
		if (!signal.aborted) say(`The coordinates at ${path} could not be read. ${error.message}`, true);
	}
}

// elements

function valueText(type, value) {
	if (type === 'bool') return value ? 'true' : 'false';
	return String(type === 'float32' ? +value.toPrecision(8) : type === 'float16' ? +value.toPrecision(5) : value);
}

/** Returns which elements of a level to read, about `most`, in indices of the first level. */
function span(d, from, to, most, { shape, sizes }) {
	if (d < 0) return { from: 0, to: 1, step: 1, count: 1 };
	const size = sizes[d];
	const n = view.shape[d];
	const first = min(n - 1, max(0, floor(from)));
	const end = max(first + 1, min(n, ceil(to)));
	const step = max(1, floor(ceil((end - first) / most) / size)) * size;
	const start = first - (first % step);
	return { from: start, to: end, step, count: ceil((min(end, size * shape[d]) - start) / step) };
}

const holds = (have, want) => have.from <= want.from && have.to >= want.to && have.step <= want.step;

/** Reads what the window shows, unless it is there. */
async function load() {
	clearTimeout(timer);
	const { window: w, x, y, shape, type } = view;
	const { width, height } = picture;
	const spans = (level) => [span(x, w.x0, w.x1, y < 0 ? MOST_IN_LINE : min(MOST, width), level), span(y, w.y0, w.y1, min(MOST, height), level)];
	let [xs, ys] = spans(view.levels[0]);
	const level = view.levels.findLast(({ sizes }) => sizes[x] <= xs.step && (y < 0 || sizes[y] <= ys.step));
	[xs, ys] = spans(level);
	const { sizes } = level;
	const now = view.tiles.find((tile) => !tile.isStale && tile.isComplete && holds(tile.x, xs) && holds(tile.y, ys));
	reading.abort();
	const { signal } = (reading = new AbortController());
	if (now) {
		view.tiles = [...view.tiles.filter((tile) => tile !== now && tile.isComplete), now];
		return drawn(now);
	}
	const of = view;
	const colour = colourAxis();
	main.dataset.state = 'reading';
	picture.ariaBusy = 'true';
	const part = ({ from, to, step }, n, size) => [from / size, min(n, ceil(to / size)), step / size].join(':');
	const select = level.shape.map((n, d) => (d === x ? part(xs, n, sizes[d]) : d === y ? part(ys, n, sizes[d])
		: d === colour ? ':' : min(n - 1, floor(view.index[d] / sizes[d])))).join(',');
	try {
		const response = await ask(level.path, `slice?format=raw&select=${encodeURIComponent(select)}${view.decode}`, signal);
		const parts = colour < 0 ? 1 : shape[colour];
		const size = view.Type.BYTES_PER_ELEMENT * parts;
		const total = xs.count * ys.count;
		const sent = response.headers.get('Zarr-Shape').split(',').reduce((a, b) => a * b, 1);
		if (sent !== total * parts || response.headers.get('Zarr-Data-Type') !== type) {
			throw new Error('The array has changed. Open it again.');
		}
		const bytes = new Uint8Array(total * size);
		const tile = { x: xs, y: ys, level, parts, total, loaded: 0, isRows: y < 0 || y < x, isStale: false, isComplete: false,
			values: new view.Type(bytes.buffer) };
		view.tiles = [...view.tiles.filter((one) => one.isComplete), tile];
		const reader = response.body.getReader();
		for (let at = 0; ;) {
			const { done, value } = await reader.read();
			if (signal.aborted || view !== of) return;
			if (done) break;
			bytes.set(value, at);
			at += value.length;
			tile.loaded = floor(at / size);
			redraw();
		}
		if (tile.loaded < total) throw new Error(`The response ended after ${tile.loaded} of ${total} elements.`);
		tile.isComplete = true;
		const first = view.tiles.find((one) => one !== tile && one.isComplete && !one.isStale);
		view.tiles = first ? [first, tile] : [tile];
		drawn(tile);
	} catch (error) {
		if (!signal.aborted && view) view.tiles = view.tiles.filter((tile) => tile.isComplete && !tile.isStale);
		failed(error, signal);
		redraw();
	}
}

function drawn(tile) {
	const { path, sizes } = tile.level;
	const [r, c] = [tile.y.step / (sizes[view.y] || 1), tile.x.step / sizes[view.x]];
	const level = path === view.path ? '' : `Level ${path} is drawn. `;
	const step = r * c > 1 ? `Of each ${view.y < 0 ? c : `${r} × ${c}`} elements one is drawn. ` : '';
	say(level + step && level + step + 'Zoom in to read more.');
	picture.ariaBusy = 'false';
	cancelAnimationFrame(frame);
	frame = 0;
	draw();
	main.dataset.state = 'drawn';
	main.dataset.drawn = view.path;
	askChunks();
}

// stored chunks

function forgetChunks() {
	view.asked = '';
	view.told = null;
	tellChunks('');
}

function tellChunks(text) {
	$('layout').textContent = layoutText(view.layout) + (text && ` · ${text}`);
	$('missing').hidden = missing(view, view.told).next().done;
	redraw();
}

/** Asks which chunks are stored, where they are shown. */
async function askChunks() {
	if (!$('grid').checked) return forgetChunks();
	const of = view;
	const select = selectionOf(of, colourAxis());
	if (select === of.asked) return undefined;
	of.asked = select;
	if (!select) return tellChunks('so many that they are told of only where you zoom in');
	const { signal } = reading;
	let text;
	try {
		of.told = await (await ask(of.path, `chunks?select=${encodeURIComponent(select)}`, signal)).json();
		text = countText(of.told);
	} catch (error) {
		if (signal.aborted && of.asked === select) of.asked = '';
		text = error.message;
	}
	return view === of && of.asked === select ? tellChunks(text) : undefined;
}

// drawing

function redraw() {
	if (!frame) frame = requestAnimationFrame(() => { frame = 0; draw(); });
}

/** Returns the values of the first and the last colour. */
function rangeOf(tile, stretch) {
	if (view.type === 'bool') return [0, 1];
	const isAll = stretch === 'all' || view.y < 0;
	const count = tile.loaded * tile.parts;
	const step = isAll ? 1 : ceil(count / 30000);
	const sample = new Float64Array(ceil(count / step));
	let size = 0;
	for (let i = 0; i < count; i += step) {
		const value = Number(tile.values[i]);
		if (Number.isFinite(value)) sample[size++] = value;
	}
	if (!size) return null;
	const sorted = sample.subarray(0, size).sort();
	for (const cut of [isAll ? 0 : floor(0.02 * (size - 1)), 0]) {
		if (sorted[cut] < sorted[size - 1 - cut]) return [sorted[cut], sorted[size - 1 - cut]];
	}
	return [sorted[0], sorted[0] + 1];
}

const pixel = (r, g, b, alpha) => ((alpha << 24) | (b << 16) | (g << 8) | r);

/** Returns 256 colours, as pixels. */
function colours() {
	const stops = ($('colours').selectedOptions[0].dataset.stops || '000000 ffffff').split(' ').map((hex) => [0, 2, 4].map((c) => parseInt(hex.slice(c, c + 2), 16)));
	return Uint32Array.from({ length: 256 }, (none, i) => {
		const at = (($('inverted').checked ? 255 - i : i) / 255) * (stops.length - 1);
		const k = min(stops.length - 2, floor(at));
		return pixel(...stops[k].map((from, c) => round(from + (stops[k + 1][c] - from) * (at - k))), 255);
	});
}

function paint(tile, table) {
	const [nx, ny] = [tile.x.count, tile.y.count];
	const [low, high] = view.range;
	const look = [$('colours').value, $('inverted').checked, low, high].join();
	if (!tile.image) {
		tile.canvas = new OffscreenCanvas(nx, ny);
		tile.image = new ImageData(nx, ny);
	}
	const from = tile.look === look ? tile.painted : 0;
	if (from === tile.loaded) return;
	const pixels = new Uint32Array(tile.image.data.buffer);
	const { values, parts } = tile;
	const flip = $('inverted').checked ? 255 : 0;
	for (let i = from; i < tile.loaded; i++) {
		const at = tile.isRows ? i : (i % ny) * nx + floor(i / ny);
		if (parts > 1) {
			const k = i * parts;
			const alpha = parts === 4 ? values[k + 3] : 255;
			pixels[at] = pixel(values[k] ^ flip, values[k + 1] ^ flip, values[k + 2] ^ flip, alpha);
		} else {
			const value = Number(values[i]);
			pixels[at] = value !== value ? 0 : table[max(0, min(255, floor(((value - low) / (high - low)) * 256)))];
		}
	}
	tile.look = look;
	tile.painted = tile.loaded;
	tile.canvas.getContext('2d').putImageData(tile.image, 0, 0);
}

function fitCanvas() {
	ratio = devicePixelRatio;
	const width = picture.clientWidth || 800;
	const aspect = view.y < 0 ? 0.35 : view.shape[view.y] / view.shape[view.x];
	const height = round(max(120, min(width * aspect, max(240, innerHeight * 0.56))));
	picture.style.height = `${height}px`;
	[picture.width, picture.height] = [round(width * ratio), round(height * ratio)];
}

function draw() {
	if (!view?.window) return;
	fitCanvas();
	const pen = picture.getContext('2d');
	pen.imageSmoothingEnabled = false;
	const tile = view.tiles.at(-1);
	const stretch = $('stretch').value;
	if (stretch === 'fixed') {
		view.range = [+$('low').value, +$('high').value];
	} else {
		const basis = stretch + tile?.loaded;
		if (tile?.loaded && tile.basis !== basis) Object.assign(tile, { basis, range: rangeOf(tile, stretch) });
		view.range = tile?.range || view.range;
		[$('low').value, $('high').value] = view.range.map((end) => +end.toPrecision(6));
	}
	const table = colours();
	const bar = new ImageData(256, 1);
	new Uint32Array(bar.data.buffer).set(table);
	$('scale').getContext('2d').putImageData(bar, 0, 0);
	$('scale').hidden = view.y < 0;
	$('range').hidden = $('stretch').parentElement.hidden = colourAxis() >= 0;
	for (const id of ['colours', 'inverted']) $(id).parentElement.hidden = view.y < 0;
	if (view.y < 0) drawLine(pen);
	else drawPlane(pen, table);
	if ($('grid').checked) drawGrid(pen);
	drawCursor(pen);
	drawTicks();
	read();
}

/** Writes coordinates beside the rows and below the columns. */
function drawTicks() {
	const { x, y, window: w } = view;
	const [low, high] = view.range;
	for (const [id, d, from, to, side, most] of [['row-ticks', y, w.y0, w.y1, 'top', picture.clientHeight / 40], ['column-ticks', x, w.x0, w.x1, 'left', picture.clientWidth / 110]]) {
		const found = d < 0 ? LINES.map((part) => [from + lineAt(part) * (to - from), valueText('float16', low + part * (high - low))]) : ticks(view.coordinates[d], max(0, ceil(from - 0.5)), min(view.shape[d] - 1, floor(to - 0.5)), most);
		$(id).replaceChildren(...found.map(([at, text]) => {
			const tick = make('span', text);
			tick.style[side] = `${((at - from) / (to - from)) * 100}%`;
			return tick;
		}));
	}
}

const pixelX = (i) => ((i - view.window.x0) / (view.window.x1 - view.window.x0)) * picture.width;
const pixelY = (i) => ((i - view.window.y0) / (view.window.y1 - view.window.y0)) * picture.height;
const box = (x0, y0, x1, y1) => [pixelX(x0), pixelY(y0), pixelX(x1) - pixelX(x0), pixelY(y1) - pixelY(y0)];

function drawPlane(pen, table) {
	pen.save();
	pen.beginPath();
	pen.rect(...box(0, 0, view.shape[view.x], view.shape[view.y]));
	pen.clip();
	for (const tile of view.tiles) {
		paint(tile, table);
		const part = (columns, rows) => box(tile.x.from, tile.y.from, tile.x.from + tile.x.step * columns, tile.y.from + tile.y.step * rows);
		const rows = tile.isRows ? floor(tile.loaded / tile.x.count) : tile.y.count;
		const columns = tile.isRows ? tile.x.count : floor(tile.loaded / tile.y.count);
		pen.clearRect(...part(columns, rows));
		pen.globalAlpha = tile.isStale ? 0.35 : 1;
		pen.drawImage(tile.canvas, ...part(tile.x.count, tile.y.count));
	}
	pen.restore();
}

/** The parts of the range that have a line, and their heights. */
const LINES = [0, 0.5, 1];
const lineAt = (part) => 0.92 - 0.84 * part;

function drawLine(pen) {
	const colour = (name) => getComputedStyle(document.body).getPropertyValue(name);
	const [low, high] = view.range;
	const y = (value) => picture.height * lineAt((value - low) / (high - low));
	pen.fillStyle = colour('--back');
	pen.fillRect(0, 0, picture.width, picture.height);
	pen.fillStyle = colour('--line');
	for (const part of LINES) pen.fillRect(0, picture.height * lineAt(part), picture.width, ratio);
	pen.strokeStyle = pen.fillStyle = colour('--link');
	pen.lineWidth = 1.5 * ratio;
	pen.beginPath();
	const tile = view.tiles.at(-1);
	let isDown = false;
	for (let i = 0; i < (tile?.loaded || 0); i++) {
		const value = Number(tile.values[i]);
		const at = pixelX(tile.x.from + (i + 0.5) * tile.x.step);
		if (!Number.isFinite(value)) {
			isDown = false;
		} else if (isDown) {
			pen.lineTo(at, y(value));
		} else { // a dot between NaN
			pen.fillRect(at - ratio, y(value) - ratio, 2 * ratio, 2 * ratio);
			pen.moveTo(at, y(value));
			isDown = true;
		}
	}
	pen.stroke();
}

function drawMissing(pen) {
	const tile = new OffscreenCanvas(8 * ratio, 8 * ratio);
	const line = tile.getContext('2d');
	line.scale(ratio, ratio);
	line.fillStyle = '#808080a0';
	line.fillRect(0, 0, 8, 8);
	line.strokeStyle = '#ffffffc0';
	line.stroke(new Path2D('M-1 1l2-2M0 8l8-8M7 9l2-2'));
	pen.fillStyle = pen.createPattern(tile, 'repeat');
	pen.beginPath();
	for (const [[x0, x1], [y0, y1]] of missing(view, view.told)) {
		const [left, top, width, height] = box(x0, y0, x1, y1);
		pen.rect(left, view.y < 0 ? 0 : top, width, view.y < 0 ? picture.height : height);
	}
	pen.fill();
}

function drawGrid(pen) {
	const { x, y, shape, layout, window: w } = view;
	const [top, bottom] = y < 0 ? [0, picture.height] : [pixelY(0), pixelY(shape[y])];
	drawMissing(pen);
	for (const [edges, width] of [[layout.chunks, 1], [layout.shards, 3]]) {
		if (!edges) continue;
		pen.beginPath();
		for (const i of borders(edges[x], shape[x], w.x0, w.x1, picture.width)) {
			const at = floor(pixelX(i)) + 0.5;
			pen.moveTo(at, top);
			pen.lineTo(at, bottom);
		}
		for (const i of y < 0 ? [] : borders(edges[y], shape[y], w.y0, w.y1, picture.height)) {
			const at = floor(pixelY(i)) + 0.5;
			pen.moveTo(pixelX(0), at);
			pen.lineTo(pixelX(shape[x]), at);
		}
		for (const [style, more] of [['#0008', 2], ['#ff6a2f', 0]]) { // dark beside the line
			pen.strokeStyle = style;
			pen.lineWidth = (width + more) * ratio;
			pen.stroke();
		}
	}
}

/** Finds the element that is drawn at the cursor. */
function underCursor() {
	const [j, i] = view.cursor;
	for (const tile of [...view.tiles].reverse()) {
		const c = floor((i - tile.x.from) / tile.x.step);
		const r = view.y < 0 ? 0 : floor((j - tile.y.from) / tile.y.step);
		if (tile.isStale || c < 0 || r < 0 || c >= tile.x.count || r >= tile.y.count) continue;
		const at = tile.isRows ? r * tile.x.count + c : c * tile.y.count + r;
		if (at < tile.loaded) return { tile, at, i: tile.x.from + c * tile.x.step, j: tile.y.from + r * tile.y.step };
	}
	return null;
}

function drawCursor(pen) {
	const found = document.activeElement === picture && underCursor();
	if (!found) return;
	const { tile, i, j } = found;
	const [left, top, width, height] = view.y < 0 ? box(i, view.window.y0, i + tile.x.step, view.window.y1) : box(i, j, i + tile.x.step, j + tile.y.step);
	const grow = max(0, 6 * ratio - width) / 2;
	pen.lineWidth = ratio;
	for (const [style, out] of [['#000', 2 * ratio], ['#fff', ratio]]) {
		pen.strokeStyle = style;
		const g = grow + out;
		pen.strokeRect(left - g, top - g, width + 2 * g, height + 2 * g);
	}
}

/** Shows the value and the place of the cursor. */
function read() {
	const found = underCursor();
	if (!found) return ($('readout').textContent = '');
	const { tile, at, i, j } = found;
	const colour = colourAxis();
	const index = view.index.map((k, d) => (d === view.x ? i : d === view.y ? j : d === colour ? ':' : k));
	const parts = Array.from({ length: tile.parts }, (none, k) => valueText(view.type, tile.values[at * tile.parts + k]));
	const element = index.map((k) => (k === ':' ? 0 : k));
	const chunk = view.told ? ` · ${chunkText(view.layout, view.told, element)}` : '';
	const places = [view.y, view.x].filter((d) => d >= 0 && view.coordinates[d])
		.map((d) => `${view.names[d]} ${coordinate(d, index[d], '')}`);
	return ($('readout').textContent = `[${index.join(', ')}] = ${parts.join(', ')}${unitsOf(view.node.attributes)}${places.length ? ' · ' + places.join(', ') : ''}${chunk}`);
}

// moving

function whole() {
	fitCanvas();
	const { width, height } = picture;
	const [nx, ny] = [view.shape[view.x], view.y < 0 ? 1 : view.shape[view.y]];
	let [sx, sy] = [width / nx, height / ny];
	if (view.y >= 0 && max(sx, sy) < 6 * min(sx, sy)) sx = sy = min(sx, sy);
	const [w, h] = [width / sx, height / sy];
	view.window = { x0: (nx - w) / 2, x1: (nx + w) / 2, y0: (ny - h) / 2, y1: (ny + h) / 2, most: w };
	redraw();
	load();
}

function moved() {
	redraw();
	later(load, PAUSE);
}

function zoom(factor, fx = 0.5, fy = 0.5) {
	const w = view.window;
	const [width, height] = [w.x1 - w.x0, w.y1 - w.y0];
	if (width * factor >= w.most) return whole();
	if (width * factor < 2) return undefined;
	w.x0 += fx * width * (1 - factor);
	w.x1 = w.x0 + width * factor;
	if (view.y >= 0) {
		w.y0 += fy * height * (1 - factor);
		w.y1 = w.y0 + height * factor;
	}
	return moved();
}

function pan(dx, dy) {
	const w = view.window;
	const shift = (from, to, d, by) => {
		const middle = (from + to) / 2;
		return max(0, min(view.shape[d], middle + by)) - middle; // the middle stays inside
	};
	const [x, y] = [shift(w.x0, w.x1, view.x, dx), view.y < 0 ? 0 : shift(w.y0, w.y1, view.y, dy)];
	Object.assign(w, { x0: w.x0 + x, x1: w.x1 + x, y0: w.y0 + y, y1: w.y1 + y });
	moved();
}

function key(event) {
	const w = view.window;
	const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
	if (event.ctrlKey || event.metaKey || event.altKey) return;
	if (arrow && event.shiftKey) {
		pan((arrow[0] * (w.x1 - w.x0)) / 5, (arrow[1] * (w.y1 - w.y0)) / 5);
	} else if (arrow) {
		const tile = view.tiles.at(-1);
		const go = (at, d, by, step) => (d < 0 ? 0 : max(0, min(view.shape[d] - 1, at - (at % step) + by * step)));
		view.cursor = [go(view.cursor[0], view.y, arrow[1], tile?.y.step || 1), go(view.cursor[1], view.x, arrow[0], tile?.x.step || 1)];
		const out = (at, from, to) => (at < from ? at - from : at >= to ? at + 1 - to : 0);
		const [dx, dy] = [out(view.cursor[1], w.x0, w.x1), view.y < 0 ? 0 : out(view.cursor[0], w.y0, w.y1)];
		if (dx || dy) pan(dx, dy);
		draw();
		$('spoken').textContent = $('readout').textContent;
	} else if ('+=-'.includes(event.key)) {
		const part = (at, from, to) => max(0, min(1, (at + 0.5 - from) / (to - from)));
		zoom(event.key === '-' ? 2 : 0.5, part(view.cursor[1], w.x0, w.x1), part(view.cursor[0], w.y0, w.y1));
	} else if (event.key === '0') whole();
	else if (event.key.toLowerCase() === 'g') $('grid').click();
	else return;
	event.preventDefault();
}

function listen() {
	const pointers = new Map();
	const place = (event) => {
		const box = picture.getBoundingClientRect();
		return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
	};
	picture.onpointerdown = (event) => {
		picture.setPointerCapture(event.pointerId);
		pointers.set(event.pointerId, place(event));
	};
	picture.onpointerup = picture.onpointercancel = (event) => pointers.delete(event.pointerId);
	picture.onpointermove = (event) => {
		if (!view) return;
		const w = view.window;
		const [fx, fy] = place(event);
		const before = pointers.get(event.pointerId);
		if (before) {
			const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
			pointers.set(event.pointerId, [fx, fy]);
			const far = (x, y) => Math.hypot(x - other[0], y - other[1]) || 1;
			if (other) zoom(far(...before) / far(fx, fy), ...other);
			else pan((before[0] - fx) * (w.x1 - w.x0), (before[1] - fy) * (w.y1 - w.y0));
		} else {
			view.cursor = [floor(w.y0 + fy * (w.y1 - w.y0)), floor(w.x0 + fx * (w.x1 - w.x0))];
			if (view.y < 0) view.cursor[0] = 0;
			redraw();
		}
	};
	picture.addEventListener('wheel', (event) => {
		if (!view) return;
		event.preventDefault();
		zoom(event.deltaY < 0 ? 0.8 : 1.25, ...place(event));
	}, { passive: false });
	picture.onkeydown = (event) => view && key(event);
	picture.onfocus = picture.onblur = redraw;
	$('in').onclick = () => zoom(0.5);
	$('out').onclick = () => zoom(2);
	$('whole').onclick = whole;
	$('inverted').onchange = $('stretch').onchange = redraw;
	$('grid').onchange = () => view && askChunks();
	$('low').onchange = $('high').onchange = () => {
		$('stretch').value = 'fixed';
		redraw();
	};
	$('colours').onchange = () => (view.isColour ? setAxes() : redraw());
	$('rows').onchange = () => {
		const y = +$('rows').value;
		if (y === view.x) view.x = view.y >= 0 ? view.y : view.names.findIndex((name, d) => d !== y && d !== colourAxis());
		view.y = view.x < 0 ? -1 : y;
		view.x = max(0, view.x);
		setAxes();
	};
	$('columns').onchange = () => {
		const x = +$('columns').value;
		if (x === view.y) view.y = view.x;
		view.x = x;
		setAxes();
	};
	$('search').oninput = search;
	$('skip').onclick = () => main.focus();
	onresize = () => view && whole();
	matchMedia('(prefers-color-scheme: dark)').onchange = redraw;
	onhashchange = route;
	document.onvisibilitychange = watch;
}

function route() {
	let path = null;
	try {
		path = location.hash.startsWith('#/') ? '/' + decodeURIComponent(location.hash.slice(2)) : null;
	} catch { /* no path */ }
	const arrays = [...nodes.values()].filter((node) => node.kind === 'array');
	open(path ?? (arrays.find((node) => node.shape.length > 1) || arrays[0])?.path ?? '/');
}

listen();
watch();
loadTree().catch((error) => { $('count').textContent = `The tree could not be read. ${error.message}`; }).then(route);
