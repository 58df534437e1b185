// The page of a served store: its tree, a node's metadata, and a picture or a line of an array.
// Text of the store enters by textContent alone, so none of it can run.

import { measured, numbers, texts, ticks } from './axes.js';
import { borders, boxesOf, chunkText, countIn, countText, edgeText, framesOf, layoutText, missing, selectionOf, times } from './chunks.js';
import * as coast from './coast.js';
import { copy, field, ofArray, ofGroup, save } from './lines.js';
import { channelsOf, labelColour, mixed, pixel } from './mix.js';
import { bytes, make, show as showGroup } from './overview.js';
import { address, hashOf, numbersOf, read as readState, write } from './state.js';

const $ = (id) => document.getElementById(id);
const { abs, ceil, floor, log2, max, min, round, sqrt } = Math;
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
const MOST_BYTES = 3e7; // of a picture
const AHEAD = 4; // chunks that a slow reader requests ahead

const nodes = new Map(); // by path
let opened = new AbortController(); // of the node
let reading = new AbortController(); // of elements
let view = null; // of the array
let frame = 0;
let ratio = 1; // pixels in one of the page
let timer = 0;
let lastMove = 0;
let watching = 0;
let keeping = 0; // the timer of the address
let here = '/'; // the node
let store = '';
let flashes = []; // chunks that have just arrived
let playing = -1; // the dimension
let isPaused = false;

function later(action, wait) {
	clearTimeout(timer);
	timer = setTimeout(action, wait);
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

const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1) || '/';
const parentOf = (path) => path.slice(0, path.lastIndexOf('/')) || '/';
const below = (path, name) => `${path}/${name}`.replace('//', '/');

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
	store = tree.name || '';
	$('store').textContent = store || 'Zarr';
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
			`${name.replaceAll('_', ' ')} ${name.endsWith('bytes') ? bytes(n) : n.toLocaleString('en')}`).join(' · ');
		wait = view?.pace ? 200 : 1000;
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
	const long = node.attributes?.long_name || (here === '/' && node.attributes?.title);
	$('name').textContent = typeof long === 'string' ? long.slice(0, 200) : here === '/' && store ? store : nameOf(here);
	document.title = `${$('name').textContent} – ${store || 'Zarr'}`;
	const place = here === '/' ? '' : `${here} · `;
	$('summary').textContent = place + node.kind;
	if (node.kind === 'array') {
		const { layout } = node;
		const names = namesOf(node);
		$('summary').textContent = `${place}${node.data_type} · ${node.dimensions.some(Boolean) ? node.shape.map((n, i) => `${names[i]} ${n}`).join(', ') : times(node.shape) || 'one element'}`;
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

async function open(path, state) {
	opened.abort();
	reading.abort();
	clearTimeout(timer);
	clearTimeout(keeping);
	const { signal } = (opened = new AbortController());
	view = null;
	here = path;
	playing = -1;
	for (const id of ['plane', 'overview', 'elements', 'about', 'reading', 'png', 'csv', 'series']) $(id).hidden = true;
	for (const item of items()) {
		item.ariaCurrent = item.dataset.path === path ? 'page' : null;
		if (item.ariaCurrent) item.scrollIntoView({ block: 'nearest' });
	}
	$('name').textContent = nameOf(path);
	$('summary').textContent = path;
	document.title = `${path} – ${store || 'Zarr'}`;
	main.dataset.state = 'reading';
	delete main.dataset.drawn;
	say('');
	try {
		const node = await (await ask(path, 'metadata?children=true', signal)).json();
		if (signal.aborted) return;
		describe(node);
		if (node.kind === 'array') return await show(node, path, signal, state);
		const [first, ...coarser] = (node.image?.levels || []).map((level) => nodes.get(level)).filter((level) => level?.shape);
		if (first) return await show(await (await ask(first.path, 'metadata', signal)).json(), first.path, signal, state, coarser, node.image);
		if (node.children) {
			showGroup($('overview'), node, hashOf, (one) => endsOf(one, signal));
			tellLines(ofGroup(path));
		}
		main.dataset.state = 'described';
	} catch (error) {
		failed(error, signal);
	}
}

/** Tells the first and the last value of a coordinate. */
async function endsOf(one, signal) {
	const [n] = one.shape;
	const [type, decode] = valuesOf(one);
	const ends = await (await ask(one.path, `slice?format=json&select=${n > 1 ? `::${n - 1}` : ':'}${decode}`, signal)).json();
	return ends.map((end) => (typeof end === 'number' ? valueText(type, end) : texts([end]).text(0).slice(0, 40))).join(' … ');
}

// lines and files

function tellLines(lines) {
	const key = lines.join();
	if ($('lines').dataset.key === key && !$('reading').hidden) return;
	$('lines').dataset.key = key;
	$('lines').replaceChildren(...lines.map(([name, text]) => {
		const button = make('button', 'Copy');
		button.ariaLabel = `Copy the line of ${name}`;
		button.onclick = () => { copy(text); button.textContent = 'Copied'; };
		return make('div', '', make('b', name), make('code', text), button);
	}));
	$('reading').hidden = false;
}

/** Returns the indices of the elements that are shown, in NumPy notation. */
function shownSelection() {
	const { x, y, shape, window: w } = view;
	const part = (d, from, to) => [max(0, floor(from)), min(shape[d], ceil(to))].join(':').replace(`0:${shape[d]}`, ':');
	const colour = colourAxis();
	return shape.map((n, d) => (d === x ? part(d, w.x0, w.x1) : d === y ? part(d, w.y0, w.y1) : d === colour ? ':' : view.index[d])).join(', ');
}

const title = () => [$('name').textContent, ...view.shape.map((n, d) => d)
	.filter((d) => d !== view.x && d !== view.y && d !== colourAxis()).map((d) => `${view.names[d]} ${coordinate(d, view.index[d], '') || view.index[d]}`)].join(' · ');

/** Saves the picture with its title, coordinates and colours. */
async function savePng() {
	const [left, top, under] = [70, 34, 52].map((side) => side * ratio);
	const sheet = new OffscreenCanvas(picture.width + left + 16 * ratio, picture.height + top + under);
	const pen = sheet.getContext('2d');
	const colour = (name) => getComputedStyle(document.body).getPropertyValue(name);
	pen.fillStyle = colour('--back');
	pen.fillRect(0, 0, sheet.width, sheet.height);
	pen.drawImage(picture, left, top);
	const say = (text, x, y, align, size = 12) => {
		pen.font = `${size * ratio}px system-ui, sans-serif`;
		pen.textAlign = align;
		pen.fillText(text, x, y);
	};
	pen.fillStyle = colour('--text');
	say(title() + unitsOf(view.node.attributes), left, 22 * ratio, 'left', 15);
	pen.fillStyle = colour('--faint');
	for (const tick of $('row-ticks').children) say(tick.textContent, left - 6 * ratio, top + (parseFloat(tick.style.top) / 100) * picture.height + 4 * ratio, 'right');
	for (const tick of $('column-ticks').children) say(tick.textContent, left + (parseFloat(tick.style.left) / 100) * picture.width, top + picture.height + 16 * ratio, 'center');
	if (view.y >= 0 && colourAxis() < 0) {
		const [low, high] = view.range.map((end) => +end.toPrecision(5));
		const at = top + picture.height + 30 * ratio;
		pen.drawImage($('scale'), left + 80 * ratio, at, picture.width / 3, 12 * ratio);
		say(low, left + 74 * ratio, at + 11 * ratio, 'right');
		say(high, left + 86 * ratio + picture.width / 3, at + 11 * ratio, 'left');
	}
	say(store, sheet.width - 16 * ratio, sheet.height - 10 * ratio, 'right');
	save(`${nameOf(here)}.png`, await sheet.convertToBlob());
}

/** Saves what is drawn with its coordinates, an element a line. */
function saveCsv(values, dimensions, unit) {
	const label = (d, i) => field(view.coordinates[d]?.plain?.(i) ?? i);
	const parts = [[...dimensions.map(([d]) => field(view.names[d])), ...Array.from({ length: values.parts }, (none, k) => field(nameOf(here) + (values.parts > 1 ? ` ${k}` : unit)))].join() + '\n'];
	const [[d, ds], [e, es] = []] = dimensions;
	for (let r = 0; r < ds.count; r++) {
		const row = label(d, ds.from + r * ds.step);
		for (let c = 0; c < (es?.count ?? 1); c++) {
			const at = (r * (es?.count ?? 1) + c) * values.parts;
			const cells = Array.from(values.values.subarray(at, at + values.parts), (value) => valueText(view.type, value));
			parts.push([row, ...(es ? [label(e, es.from + c * es.step)] : []), ...cells].join() + '\n');
		}
	}
	save(`${nameOf(here)}.csv`, new Blob(parts, { type: 'text/csv' }));
}

// the address

/** Writes the state into the address, a little later. */
function keep() {
	clearTimeout(keeping);
	const of = view;
	keeping = setTimeout(() => view === of && of && history.replaceState(null, '', write(here, stateNow())), 200);
}

function stateNow() {
	const { x, y, usual, index, window: w, line, channels, label, pace } = view;
	const stretch = $('stretch').value;
	const all = {
		axes: (y !== usual[0] || x !== usual[1]) && [y, x],
		at: index.some(Boolean) && index,
		window: w.isPart && [w.x0, w.x1, w.y0, w.y1].map((end) => +end.toFixed(2)),
		colours: $('colours').value !== usual[2] && $('colours').value,
		inverted: $('inverted').checked && 1,
		range: stretch === 'fixed' ? [$('low').value, $('high').value] : stretch === 'all' && 'all',
		chunks: $('grid').checked && 1,
		coast: $('coast').checked !== usual[3] && Number($('coast').checked),
		line: line && [line.j, line.i, line.d],
		channels: view.channel >= 0 && colourAxis() >= 0 && channels.map(({ isOn }) => Number(isOn)).join(''),
		labels: label && nameOf(label.path),
		pace,
	};
	return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== false && value !== null && value !== undefined));
}

/** Sets the controls as a state says. */
function setControls(state) {
	const { usual } = view;
	const colours = state.get('colours') || usual[2];
	$('colours').value = [...$('colours').options].some((one) => one.value === colours && !one.disabled) ? colours : usual[2];
	$('inverted').checked = state.has('inverted');
	const range = numbersOf(state, 'range', 2);
	$('stretch').value = range ? 'fixed' : state.get('range') === 'all' ? 'all' : 'percentile';
	if (range) [$('low').value, $('high').value] = range;
	$('grid').checked = state.has('chunks');
	$('coast').checked = state.has('coast') ? state.get('coast') === '1' : usual[3];
	const at = numbersOf(state, 'at', view.shape.length);
	if (at) view.index = at.map((i, d) => max(0, min(view.shape[d] - 1, floor(i))));
	const axes = numbersOf(state, 'axes', 2);
	const isAxis = (d, least) => Number.isInteger(d) && d >= least && d < view.shape.length;
	if (axes && isAxis(axes[0], -1) && isAxis(axes[1], 0) && axes[0] !== axes[1]) [view.y, view.x] = axes;
	[...(state.get('channels') || '')].forEach((on, k) => { if (view.channels[k]) view.channels[k].isOn = on === '1'; });
	view.pace = max(0, min(2000, +state.get('pace') || 0)) || null;
}

// an array

/** Returns the type of an array's values, and the parameter for them. */
function valuesOf({ data_type, decoded }) {
	const rules = decoded?.rules || ['time_delta'];
	return rules.includes('time_delta') ? [data_type, ''] : [rules.includes('time') ? 'time' : decoded.data_type, '&decode=true'];
}

async function show(node, path, signal, state, coarser = [], { axes, channels, display } = {}) {
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
	const known = axes?.length === shape.length ? axes : [];
	const channel = known.findIndex((axis, d) => axis.type === 'channel' && shape[d] <= 16);
	const all = shape.map((n, d) => d).filter((d) => !(isColour && d === last) && d !== channel);
	const wide = all.filter((d) => shape[d] > 1);
	const x = wide.at(-1) ?? all.at(-1);
	const y = wide.at(-2) ?? all.filter((d) => d !== x).at(-1) ?? -1;
	const levels = [{ ...node, path }, ...(decode ? [] : coarser)].map((level) => ({ ...level, sizes: shape.map((n, d) => round(n / level.shape[d])) }))
		.filter((level) => level.data_type === node.data_type && level.sizes.every((size, d) => abs(shape[d] - size * level.shape[d]) < size));
	const names = namesOf(node).map((name, d) => known[d]?.name || name);
	const coordinates = known.map((axis) => (axis.type === 'channel' ? channels.length && texts(channels) : measured(axis)));
	view = { node, path, shape, levels, type, decode, Type, x, y, isColour, channel, names, coordinates, layout: node.layout, index: shape.map(() => 0),
		channels: channel < 0 ? [] : channelsOf(shape[channel], channels, display), tiles: [], cursor: [0, 0], range: [0, 1], window: null, asked: '', told: null };
	view.usual = [y, x, isColour ? 'true' : channel >= 0 ? 'channels' : 'viridis', !isColour];
	for (const [option, isFit] of [[$('colours').options[0], isColour], [$('colours').options[1], channel >= 0]]) option.hidden = option.disabled = !isFit;
	if (!state.size && $('colours').selectedOptions[0]?.dataset.stops) state.set('colours', isColour || channel >= 0 ? view.usual[2] : $('colours').value);
	setControls(state);
	for (const id of ['plane', 'png', 'csv']) $(id).hidden = false;
	$('readout').textContent = '';
	$('demo').hidden = !view.pace;
	$('pace').value = view.pace || 60;
	isPaused = false;
	showChannels();
	offerLabels(state.get('labels'), signal);
	setAxes(numbersOf(state, 'window', 4));
	const line = numbersOf(state, 'line', 3);
	if (line) readLine(...line);
	for (let d = 0; d < shape.length; d++) loadCoordinate(view, d, signal);
}

/** Returns the dimension of the colours or of the channels that are mixed, or -1. */
const colourAxis = () => ({ true: view.isColour ? view.shape.length - 1 : -1, channels: view.channel })[$('colours').value] ?? -1;

function setAxes(wanted) {
	const colour = colourAxis();
	if (colour >= 0 && (view.x === colour || view.y === colour)) {
		[view.y, view.x] = view.usual;
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
			playing = -1;
			goTo(d, +slider.value);
		};
		const button = make('button', '▶');
		button.ariaLabel = `Play along ${view.names[d]}`;
		button.disabled = n < 2;
		button.onclick = () => play(d);
		return make('div', '', make('label', '', make('span', view.names[d]), slider, make('output', '')), button);
	});
	$('sliders').replaceChildren(...sliders.filter(Boolean));
	picture.ariaLabel = view.y < 0 ? `Line of ${view.path} along ${view.names[view.x]}`
		: `Picture of ${view.path}: rows are ${view.names[view.y]}, columns are ${view.names[view.x]}`;
	view.tiles = [];
	forgetChunks();
	showCoordinates();
	closeLine();
	view.colour = colour;
	whole(wanted);
}

function goTo(d, i) {
	view.index[d] = i;
	$('sliders').querySelector(`[data-dimension="${d}"]`).value = i;
	showCoordinates();
	for (const tile of view.tiles) tile.isStale = true;
	reading.abort();
	forgetChunks();
	redraw();
	const isFirst = performance.now() > lastMove + PAUSE;
	lastMove = performance.now();
	later(load, isFirst ? 0 : PAUSE);
}

/** Goes along a dimension until it is called again: the next place when the one before is drawn. */
function play(d) {
	playing = playing === d ? -1 : d;
	showCoordinates();
	if (playing >= 0) goTo(d, (view.index[d] + 1) % view.shape[d]);
}

function showCoordinates() {
	for (const slider of $('sliders').querySelectorAll('input')) {
		const d = +slider.dataset.dimension;
		slider.ariaValueText = `${view.names[d]} ${view.index[d]}${coordinate(d, view.index[d], ': ')}`;
		slider.parentElement.nextElementSibling.textContent = playing === d ? '❚❚' : '▶';
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
		const values = TYPES[type] ? new TYPES[type](await response.arrayBuffer()) : await response.json();
		of.coordinates[d] = { ...(TYPES[type] ? numbers(values, (value) => valueText(type, value) + unitsOf(found.attributes)) : texts(values)),
			plain: (i) => (TYPES[type] ? valueText(type, values[i]) : values[i]), units: String(found.attributes.units || '') };
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
	return String(type === 'float64' ? +value.toPrecision(12) : type === 'float32' ? +value.toPrecision(8) : type === 'float16' ? +value.toPrecision(5) : value);
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

/** Returns the dimensions that a slice has, and where the columns, the rows and the colours are among them. */
function sliceOrder() {
	const colour = colourAxis();
	const order = [view.x, view.y, colour].filter((d) => d >= 0).sort((a, b) => a - b);
	return [order, ...[view.x, view.y, colour].map((d) => order.indexOf(d))];
}

/** Puts the part of a chunk into a tile, and returns its columns and rows. */
function put(tile, { first, counts, data }, [shiftX, shiftY] = [0, 0]) {
	const [order, px, py, pk] = sliceOrder();
	const along = (p) => (p < 0 ? [0, 1, 0] : [first[p], counts[p], counts.slice(p + 1).reduce((a, b) => a * b, 1)]);
	const [[x0, nx, sx], [y0, ny, sy], [k0, nk, sk]] = [along(px), along(py), along(pk)];
	const values = new view.Type(data.buffer);
	const { parts } = tile;
	for (let r = 0; r < ny; r++) {
		for (let c = 0; c < nx; c++) {
			const to = (y0 + shiftY + r) * tile.x.count + x0 + shiftX + c;
			for (let k = 0; k < nk; k++) tile.values[to * parts + k0 + k] = values[r * sy + c * sx + k * sk];
			tile.have[to] = 1;
		}
	}
	tile.loaded += order.length ? nx * ny * nk : 1;
	tile.arrived++;
	const part = [x0 + shiftX, y0 + shiftY, x0 + shiftX + nx, y0 + shiftY + ny];
	tile.fresh.push(part);
	tile.boxes.push(part);
	return part;
}

/** Requests elements, and yields the part of each chunk as it arrives. */
async function* requested(level, select, expected, signal) {
	const response = await ask(level.path, `slice?format=chunks&select=${encodeURIComponent(select)}${view.decode}`, signal);
	const sent = response.headers.get('Zarr-Shape').split(',').reduce((a, b) => a * b, 1);
	if (sent !== expected || response.headers.get('Zarr-Data-Type') !== view.type) {
		throw new Error('The array has changed. Open it again.');
	}
	yield* framesOf(response.body, sliceOrder()[0].length, view.Type.BYTES_PER_ELEMENT);
}

/** Requests chunk by chunk, at most some ahead of a slow reader, and yields them as they arrive. */
async function* paced(level, boxes, selectOf, parts, signal) {
	const of = view;
	const waiting = (of.waiting = new Map());
	const requests = new Map();
	of.demand = { taken: 0, requested: 0, most: boxes.length };
	const one = async (key, box) => {
		const found = [];
		for await (const chunk of requested(level, selectOf(box), (box[2] - box[0]) * (box[3] - box[1]) * parts, signal)) found.push(chunk);
		waiting.delete(key);
		return [key, found, box];
	};
	for (let at = 0; at < boxes.length || requests.size;) {
		while (isPaused && !signal.aborted) await new Promise((go) => { setTimeout(go, 50); });
		for (; at < boxes.length && requests.size < AHEAD; at++) {
			waiting.set(at, { part: boxes[at] });
			requests.set(at, one(at, boxes[at]));
			of.demand.requested++;
		}
		redraw();
		const [key, found, box] = await Promise.race(requests.values());
		requests.delete(key);
		of.demand.taken++;
		for (const chunk of found) yield [chunk, box];
		await new Promise((go) => { setTimeout(go, of.pace); });
	}
}

/** Reads what the window shows, unless it is there. */
async function load() {
	clearTimeout(timer);
	const of = view;
	const { window: w, x, y, shape, Type } = view;
	const { width, height } = picture;
	const colour = colourAxis();
	const parts = colour < 0 ? 1 : shape[colour];
	const most = min(MOST, floor(sqrt(MOST_BYTES / Type.BYTES_PER_ELEMENT / parts)));
	const side = (pixels) => (view.pace ? most : min(most, pixels));
	const spans = (level) => [span(x, w.x0, w.x1, y < 0 ? MOST_IN_LINE : side(width), level), span(y, w.y0, w.y1, side(height), level)];
	let [xs, ys] = spans(view.levels[0]);
	const level = view.levels.findLast(({ sizes }) => sizes[x] <= xs.step && (y < 0 || sizes[y] <= ys.step));
	[xs, ys] = spans(level);
	const { sizes } = level;
	const now = view.tiles.find((tile) => !tile.isStale && tile.isComplete && holds(tile.x, xs) && holds(tile.y, ys));
	reading.abort();
	const { signal } = (reading = new AbortController());
	view.waiting = null;
	if (now) {
		view.tiles = [...view.tiles.filter((tile) => tile !== now && tile.isComplete), now];
		return drawn(now);
	}
	main.dataset.state = 'reading';
	picture.ariaBusy = 'true';
	const part = ({ from, to, step }, n, size) => [from / size, min(n, ceil(to / size)), step / size].join(':');
	const selectOf = (columns, rows) => level.shape.map((n, d) => (d === x ? part(columns, n, sizes[d]) : d === y ? part(rows, n, sizes[d])
		: d === colour ? ':' : min(n - 1, floor(view.index[d] / sizes[d])))).join(',');
	const total = xs.count * ys.count * parts;
	const tile = { x: xs, y: ys, level, parts, total, loaded: 0, arrived: 0, isStale: false, isComplete: false, boxes: [], fresh: [],
		began: performance.now(), values: new Type(total), have: new Uint8Array(xs.count * ys.count) };
	tile.chunks = level === view.levels[0] ? countIn(view, xs, ys, colour) : 0;
	try {
		const boxes = view.pace && xs.step === 1 && ys.step === 1 && y >= 0 && boxesOf(view.layout.chunks, x, y, xs, ys);
		const chunks = boxes ? paced(level, boxes, ([x0, y0, x1, y1]) => selectOf({ from: x0, to: x1, step: 1 }, { from: y0, to: y1, step: 1 }), parts, signal)
			: requested(level, selectOf(xs, ys), total, signal);
		let isFirst = true;
		for await (const got of chunks) {
			if (signal.aborted || view !== of) return;
			if (isFirst) view.tiles = [...view.tiles.filter((one) => one.isComplete), tile];
			isFirst = false;
			const [chunk, [left, top] = [xs.from, ys.from]] = boxes ? got : [got];
			const [x0, y0, x1, y1] = put(tile, chunk, boxes ? [left - xs.from, top - ys.from] : [0, 0]);
			if (playing < 0 && flashes.length < 400 && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
				flashes.push({ at: performance.now(), part: [xs.from + x0 * xs.step, ys.from + y0 * ys.step, xs.from + x1 * xs.step, ys.from + y1 * ys.step] });
			}
			tellArrived(tile);
			redraw();
		}
		if (signal.aborted || view !== of) return;
		if (tile.loaded < total) throw new Error(`The response ended after ${tile.loaded} of ${total} elements.`);
		tile.isComplete = true;
		const first = view.tiles.find((one) => one !== tile && one.isComplete && !one.isStale);
		view.tiles = first ? [first, tile] : [tile];
		tellArrived(tile);
		drawn(tile);
	} catch (error) {
		if (!signal.aborted && view) view.tiles = view.tiles.filter((one) => one.isComplete && !one.isStale);
		if (!signal.aborted) playing = -1;
		failed(error, signal);
		redraw();
	}
}

/** Tells how many chunks have arrived. */
function tellArrived(tile) {
	const { arrived, chunks, loaded, isComplete } = tile;
	const seconds = ((performance.now() - tile.began) / 1000).toFixed(1);
	const count = isComplete || !chunks ? arrived : `${arrived} of ${chunks}`;
	$('arrived').textContent = `${count} chunk${arrived === 1 && isComplete ? '' : 's'}, ${bytes(loaded * view.Type.BYTES_PER_ELEMENT)} in ${seconds} s`;
	if (view.demand) {
		const { taken, requested: asked, most } = view.demand;
		$('demand').textContent = `taken ${taken} · requested ${asked} of ${most} · ${asked - taken} ahead, at most ${AHEAD}`;
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
	readLabels();
	if (playing >= 0) later(() => playing >= 0 && goTo(playing, (view.index[playing] + 1) % view.shape[playing]), 150);
	if (view.line && lineSelect(view.line) !== view.line.select) readLine(view.line.j, view.line.i, view.line.d);
}

// channels and labels of an image

function showChannels() {
	$('channels').replaceChildren(...view.channels.map((channel) => {
		const check = make('input', '');
		Object.assign(check, { type: 'checkbox', checked: channel.isOn });
		check.onchange = () => { channel.isOn = check.checked; redraw(); };
		const label = make('label', '', check, make('span', channel.name));
		label.style.setProperty('--channel', `rgb(${channel.colour.join()})`);
		return label;
	}));
}

/** Offers the label images below the image that is shown. */
function offerLabels(wanted, signal) {
	const found = [...nodes.keys()].filter((path) => path.startsWith(`${here}/labels/`) && parentOf(path) === `${here}/labels` && nodes.get(path).kind === 'group');
	$('label').replaceChildren(new Option('none', ''), ...found.map((path) => new Option(nameOf(path), path)));
	$('label').parentElement.hidden = !found.length;
	const chosen = found.find((path) => nameOf(path) === wanted);
	if (chosen && !signal.aborted) {
		$('label').value = chosen;
		chooseLabel(chosen);
	}
}

async function chooseLabel(path) {
	const of = view;
	of.label = null;
	redraw();
	if (!path) return;
	try {
		const { image } = await (await ask(path, 'metadata', opened.signal)).json();
		const levels = (image?.levels || []).map((level) => nodes.get(level)).filter((level) => TYPES[level?.data_type] && level.shape.length === image.axes.length);
		if (!levels.length) throw new Error(`The labels at ${path} have no level of integers.`);
		of.label = { path, levels, axes: image.axes.map(({ name }) => of.names.indexOf(name)) };
		if (view === of) readLabels();
	} catch (error) {
		if (view === of) say(error.message, true);
	}
}

/** Reads the labels for the tile that is shown. */
async function readLabels() {
	const of = view;
	const { label, x, y } = view;
	const tile = view.tiles.at(-1);
	const key = [tile?.x.from, tile?.x.to, tile?.x.step, tile?.y.from, tile?.y.to, tile?.y.step, view.index].join();
	if (!label || !tile?.isComplete || label.key === key || !label.axes.includes(x) || !label.axes.includes(y)) return;
	label.key = key;
	const sizeOf = (level, d) => max(1, round(view.shape[d] / level.shape[label.axes.indexOf(d)]));
	const level = label.levels.findLast((one) => sizeOf(one, x) <= tile.x.step && sizeOf(one, y) <= tile.y.step) || label.levels[0];
	const part = ({ from, to, step }, d, n) => {
		const size = sizeOf(level, d);
		const each = max(1, floor(step / size));
		const start = floor(from / size);
		return { from: start * size, step: each * size, select: `${start}:${min(n, ceil(to / size))}:${each}`, count: ceil((min(n, ceil(to / size)) - start) / each) };
	};
	const parts = level.shape.map((n, e) => (label.axes[e] === x || label.axes[e] === y ? part(label.axes[e] === x ? tile.x : tile.y, label.axes[e], n) : null));
	const select = parts.map((one, e) => one?.select ?? min(level.shape[e] - 1, of.index[label.axes[e]] ?? 0)).join();
	try {
		const values = new TYPES[level.data_type](await (await ask(level.path, `slice?format=raw&select=${encodeURIComponent(select)}`, reading.signal)).arrayBuffer());
		if (view !== of || of.label !== label) return;
		const [xs, ys] = [parts[label.axes.indexOf(x)], parts[label.axes.indexOf(y)]];
		const isRows = label.axes.indexOf(y) < label.axes.indexOf(x);
		const image = new ImageData(xs.count, ys.count);
		const pixels = new Uint32Array(image.data.buffer);
		const at = (c, r) => (isRows ? r * xs.count + c : c * ys.count + r);
		for (let r = 0; r < ys.count; r++) for (let c = 0; c < xs.count; c++) pixels[r * xs.count + c] = labelColour(values[at(c, r)]);
		const canvas = new OffscreenCanvas(xs.count, ys.count);
		canvas.getContext('2d').putImageData(image, 0, 0);
		label.tile = { x: xs, y: ys, canvas, value: (c, r) => values[at(c, r)] };
		redraw();
	} catch (error) {
		label.key = '';
		if (view === of && error.name !== 'AbortError') say(error.message, true);
	}
}

function labelAt(i, j) {
	const tile = view.label?.tile;
	if (!tile) return 0;
	const [c, r] = [floor((i - tile.x.from) / tile.x.step), floor((j - tile.y.from) / tile.y.step)];
	return c >= 0 && r >= 0 && c < tile.x.count && r < tile.y.count ? Number(tile.value(c, r)) : 0;
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

/** Returns the values of the first and the last colour, of those that are there. */
function rangeOf(tile, stretch, k = 0, among = 1) {
	if (view.type === 'bool') return [0, 1];
	const isAll = stretch === 'all' || view.y < 0;
	const step = isAll ? 1 : ceil((tile.total / among) / 30000);
	const sample = new Float64Array(ceil(tile.total / among / step));
	let size = 0;
	for (let i = 0; i * among < tile.total; i += step) {
		const value = Number(tile.values[i * among + k]);
		if (Number.isFinite(value) && tile.have[floor((i * among) / tile.parts)]) sample[size++] = value;
	}
	if (!size) return null;
	const sorted = sample.subarray(0, size).sort();
	for (const cut of [isAll ? 0 : floor(0.02 * (size - 1)), 0]) {
		if (sorted[cut] < sorted[size - 1 - cut]) return [sorted[cut], sorted[size - 1 - cut]];
	}
	return [sorted[0], sorted[0] + 1];
}

/** Returns 256 colours, as pixels. */
function colours() {
	const stops = ($('colours').selectedOptions[0].dataset.stops || '000000 ffffff').split(' ').map((hex) => [0, 2, 4].map((c) => parseInt(hex.slice(c, c + 2), 16)));
	return Uint32Array.from({ length: 256 }, (none, i) => {
		const at = (($('inverted').checked ? 255 - i : i) / 255) * (stops.length - 1);
		const k = min(stops.length - 2, floor(at));
		return pixel(...stops[k].map((from, c) => round(from + (stops[k + 1][c] - from) * (at - k))), 255);
	});
}

/** Paints what has arrived into the image of a tile, all of it if the colours are others now. */
function paint(tile, table) {
	const { values, parts } = tile;
	const [nx, ny] = [tile.x.count, tile.y.count];
	const [low, high] = view.range;
	const isMixed = $('colours').value === 'channels' && colourAxis() >= 0;
	const look = [$('colours').value, $('inverted').checked, low, high, isMixed && view.channels.map(({ isOn }) => isOn)].join();
	if (!tile.image) {
		tile.canvas = new OffscreenCanvas(nx, ny);
		tile.image = new ImageData(nx, ny);
	}
	const boxes = tile.look === look ? tile.fresh : [[0, 0, nx, ny]];
	if (!boxes.length) return;
	const pixels = new Uint32Array(tile.image.data.buffer);
	const flip = $('inverted').checked ? 255 : 0;
	const ranges = isMixed && view.channels.map(({ window }, k) => window || rangeOf(tile, 'percentile', k, parts) || [0, 1]);
	for (const [x0, y0, x1, y1] of boxes) {
		for (let r = y0; r < y1; r++) {
			for (let at = r * nx + x0; at < r * nx + x1; at++) {
				if (!tile.have[at]) continue;
				const k = at * parts;
				if (isMixed) {
					pixels[at] = mixed(values, k, view.channels, ranges);
				} else if (parts > 1) {
					pixels[at] = pixel(values[k] ^ flip, values[k + 1] ^ flip, values[k + 2] ^ flip, parts === 4 ? values[k + 3] : 255);
				} else {
					const value = Number(values[at]);
					if (value !== value) tile.hasNan = true;
					pixels[at] = value !== value ? 0 : table[max(0, min(255, floor(((value - low) / (high - low)) * 256)))];
				}
			}
		}
		tile.canvas.getContext('2d').putImageData(tile.image, 0, 0, x0, y0, x1 - x0, y1 - y0);
	}
	tile.look = look;
	tile.fresh = [];
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
	} else if (playing < 0) {
		const basis = stretch + (tile?.isComplete || floor(log2(tile?.loaded))); // while chunks arrive, not with each of them
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
	$('channels').hidden = $('colours').value !== 'channels' || view.channel < 0;
	const isMap = view.y >= 0 && coast.isAlong(view.coordinates[view.x], 'e') && coast.isAlong(view.coordinates[view.y], 'n');
	$('coast').parentElement.hidden = !isMap;
	$('nan').hidden = !tile?.hasNan;
	if (view.y < 0) drawLine(pen);
	else drawPlane(pen, table);
	if (isMap && $('coast').checked) drawCoast(pen);
	if ($('grid').checked) drawGrid(pen);
	drawFlashes(pen);
	drawCursor(pen);
	drawTicks();
	drawSeries();
	read();
	tellLines(ofArray(view.node, shownSelection(), Boolean(view.decode), view.coordinates.some((one) => one?.plain)));
	keep();
}

/** Draws the coasts, dark and light, so that they are seen on each colour. */
async function drawCoast(pen) {
	const { x, y, shape, coordinates } = view;
	pen.save();
	pen.beginPath();
	pen.rect(...box(0, 0, shape[x], shape[y]));
	pen.clip();
	pen.beginPath();
	if (!coast.trace(pen, [coordinates[x], shape[x], pixelX], [coordinates[y], shape[y], pixelY])) coast.load().then(redraw, () => {});
	for (const [style, width] of [['#0007', 2.2], ['#fffc', 1]]) {
		pen.strokeStyle = style;
		pen.lineWidth = width * ratio;
		pen.stroke();
	}
	pen.restore();
}

/** Lights up the chunks that a slow reader waits for, and those that have just arrived. */
function drawFlashes(pen) {
	const now = performance.now();
	flashes = flashes.filter(({ at }) => now - at < 700);
	pen.lineWidth = 1.5 * ratio;
	for (const { part, at } of [...flashes, ...(view.waiting?.values() || [])]) {
		const light = at ? 1 - (now - at) / 700 : 0.35;
		const [left, top, width, height] = view.y < 0 ? box(part[0], view.window.y0, part[2], view.window.y1) : box(...part);
		pen.fillStyle = at ? `rgb(255 255 255 / ${0.75 * light})` : '#ffb02e';
		pen.globalAlpha = at ? 1 : 0.25;
		pen.fillRect(left, top, width, height);
		pen.globalAlpha = 1;
		pen.strokeStyle = `rgb(255 106 47 / ${light})`;
		pen.strokeRect(left, top, width, height);
	}
	if (flashes.length) redraw();
}

function placeTicks(id, found, from, to, side) {
	$(id).replaceChildren(...found.map(([at, text]) => {
		const tick = make('span', text);
		tick.style[side] = `${((at - from) / (to - from)) * 100}%`;
		return tick;
	}));
}

const valueTicks = ([low, high]) => LINES.map((part) => [lineAt(part), valueText('float16', low + part * (high - low))]);
const ticksOf = (d, from, to, most) => ticks(view.coordinates[d], max(0, ceil(from - 0.5)), min(view.shape[d] - 1, floor(to - 0.5)), most);

/** Writes coordinates beside the rows and below the columns. */
function drawTicks() {
	const { x, y, window: w } = view;
	if (y < 0) placeTicks('row-ticks', valueTicks(view.range), 0, 1, 'top');
	else placeTicks('row-ticks', ticksOf(y, w.y0, w.y1, picture.clientHeight / 40), w.y0, w.y1, 'top');
	placeTicks('column-ticks', ticksOf(x, w.x0, w.x1, picture.clientWidth / 110), w.x0, w.x1, 'left');
}

const pixelX = (i) => ((i - view.window.x0) / (view.window.x1 - view.window.x0)) * picture.width;
const pixelY = (i) => ((i - view.window.y0) / (view.window.y1 - view.window.y0)) * picture.height;
const box = (x0, y0, x1, y1) => [pixelX(x0), pixelY(y0), pixelX(x1) - pixelX(x0), pixelY(y1) - pixelY(y0)];

const themed = (name) => getComputedStyle(document.body).getPropertyValue(name);

/** Draws NaN as a checkerboard; outside of the array and before elements come there is none. */
function drawPlane(pen, table) {
	const all = box(0, 0, view.shape[view.x], view.shape[view.y]);
	pen.fillStyle = themed('--side');
	pen.fillRect(0, 0, picture.width, picture.height);
	pen.fillStyle = themed('--line');
	pen.fillRect(...all);
	pen.save();
	pen.beginPath();
	pen.rect(...all);
	pen.clip();
	for (const tile of view.tiles) {
		paint(tile, table);
		const part = ([x0, y0, x1, y1]) => box(tile.x.from + tile.x.step * x0, tile.y.from + tile.y.step * y0, tile.x.from + tile.x.step * x1, tile.y.from + tile.y.step * y1);
		pen.beginPath();
		for (const one of tile.isComplete ? [[0, 0, tile.x.count, tile.y.count]] : tile.boxes) pen.rect(...part(one));
		pen.fillStyle = checks(pen);
		pen.fill();
		pen.globalAlpha = tile.isStale && playing < 0 ? 0.35 : 1;
		pen.drawImage(tile.canvas, ...part([0, 0, tile.x.count, tile.y.count]));
		pen.globalAlpha = 1;
	}
	const label = view.label?.tile;
	if (label) pen.drawImage(label.canvas, ...box(label.x.from, label.y.from, label.x.from + label.x.step * label.x.count, label.y.from + label.y.step * label.y.count));
	pen.restore();
}

function checks(pen) {
	const side = 8 * ratio;
	const tile = new OffscreenCanvas(2 * side, 2 * side);
	const check = tile.getContext('2d');
	check.fillStyle = themed('--back');
	check.fillRect(0, 0, 2 * side, 2 * side);
	check.fillStyle = themed('--check');
	check.fillRect(0, 0, side, side);
	check.fillRect(side, side, side, side);
	return pen.createPattern(tile, 'repeat');
}

/** The parts of the range that have a line, and their heights. */
const LINES = [0, 0.5, 1];
const lineAt = (part) => 0.92 - 0.84 * part;

/** Draws values over the places of their elements. */
function plot(pen, values, isThere, placeOf, [low, high]) {
	const { width, height } = pen.canvas;
	const y = (value) => height * lineAt((value - low) / (high - low));
	pen.fillStyle = themed('--back');
	pen.fillRect(0, 0, width, height);
	pen.fillStyle = themed('--line');
	for (const part of LINES) pen.fillRect(0, height * lineAt(part), width, ratio);
	pen.strokeStyle = pen.fillStyle = themed('--link');
	pen.lineWidth = 1.5 * ratio;
	pen.beginPath();
	let isDown = false;
	for (let i = 0; i < values.length; i++) {
		const value = Number(values[i]);
		const at = placeOf(i);
		if (!Number.isFinite(value) || !isThere(i)) {
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

function drawLine(pen) {
	const tile = view.tiles.at(-1);
	plot(pen, tile?.values || [], (i) => tile.have[i], (i) => pixelX(tile.x.from + (i + 0.5) * tile.x.step), view.range);
}

// a line at a point

/** Returns the selection of the line along a dimension through an element. */
const lineSelect = ({ j, i, d, step }) => view.shape.map((n, e) => (e === d ? `::${step}` : e === view.x ? i : e === view.y ? j : e === colourAxis() ? 0 : view.index[e])).join();

/** Reads the line along a dimension through an element, and shows it below the picture. */
async function readLine(j, i, d) {
	const of = view;
	const { shape, x, y } = of;
	const colour = colourAxis();
	const isFree = (e) => e !== colour && shape[e] > 1;
	const free = shape.map((n, e) => e).filter(isFree);
	if (y < 0 || !free.length || ![j, i].every((at, k) => at >= 0 && at < shape[k ? x : y])) return;
	const along = free.includes(d) ? d : free.find((e) => e !== x && e !== y) ?? y;
	const step = ceil(shape[along] / MOST_IN_LINE);
	const select = lineSelect({ j, i, d: along, step });
	const { signal } = opened;
	try {
		const values = new of.Type(await (await ask(of.path, `slice?format=raw&select=${encodeURIComponent(select)}${of.decode}`, signal)).arrayBuffer());
		if (view !== of || signal.aborted || colourAxis() !== colour) return;
		of.line = { j, i, d: along, values, step, parts: 1, total: values.length, have: new Uint8Array(values.length).fill(1), select };
		of.line.range = rangeOf(of.line, 'all') || [0, 1];
		$('along').replaceChildren(...free.map((e) => new Option(of.names[e], e, false, e === along)));
		$('series').hidden = false;
		$('series').dataset.drawn = select;
		redraw();
	} catch (error) {
		if (!signal.aborted) say(error.message, true);
	}
}

function closeLine() {
	view.line = null;
	$('series').hidden = true;
}

function drawSeries() {
	if (!view.line) return;
	const { j, i, d, values, step, range } = view.line;
	const line = $('line');
	[line.width, line.height] = [round(line.clientWidth * ratio), round(line.clientHeight * ratio)];
	const n = view.shape[d];
	const place = (k) => ((k + 0.5) / n) * line.width;
	const pen = line.getContext('2d');
	plot(pen, values, () => true, (k) => place(k * step), range);
	const now = d === view.x ? i : d === view.y ? j : view.index[d];
	pen.fillStyle = '#ff6a2f';
	pen.fillRect(place(now) - ratio / 2, 0, ratio, line.height);
	placeTicks('line-rows', valueTicks(range), 0, 1, 'top');
	placeTicks('line-columns', ticksOf(d, 0, n, line.clientWidth / 110), 0, n, 'left');
	const at = [[view.y, j], [view.x, i]].filter(([e]) => e !== d).map(([e, k]) => `${view.names[e]} ${coordinate(e, k, '') || k}`).join(', ');
	$('series-name').textContent = at;
	const value = values[floor(now / step)];
	$('series-value').textContent = `${view.names[d]} ${coordinate(d, now, '') || now}: ${valueText(view.type, value)}${unitsOf(view.node.attributes)}`;
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
		const at = r * tile.x.count + c;
		if (tile.have[at]) return { tile, at, i: tile.x.from + c * tile.x.step, j: tile.y.from + r * tile.y.step };
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
	const label = labelAt(i, j);
	if (label) places.push(`${nameOf(view.label.path)} ${label}`);
	return ($('readout').textContent = `[${index.join(', ')}] = ${parts.join(', ')}${unitsOf(view.node.attributes)}${places.length ? ' · ' + places.join(', ') : ''}${chunk}`);
}

// moving

/** Shows the whole plane, or the wanted part of it. */
function whole(wanted) {
	fitCanvas();
	const { width, height } = picture;
	const [nx, ny] = [view.shape[view.x], view.y < 0 ? 1 : view.shape[view.y]];
	let [sx, sy] = [width / nx, height / ny];
	const isLocked = view.y >= 0 && max(sx, sy) < 6 * min(sx, sy);
	if (isLocked) sx = sy = min(sx, sy);
	let [w, h] = [width / sx, height / sy];
	const most = w;
	let [x, y] = [nx / 2, ny / 2];
	if (wanted && wanted[0] < wanted[1] && wanted[2] < wanted[3]) {
		const [x0, x1, y0, y1] = wanted;
		[x, y] = [max(0, min(nx, (x0 + x1) / 2)), max(0, min(ny, (y0 + y1) / 2))];
		if (isLocked) w = max(x1 - x0, ((y1 - y0) * width) / height);
		else [w, h] = [x1 - x0, y1 - y0];
		w = max(2, min(most, w));
		if (isLocked) h = (w * height) / width;
	}
	view.window = { x0: x - w / 2, x1: x + w / 2, y0: y - h / 2, y1: y + h / 2, most, isPart: w < most };
	redraw();
	load();
}

function moved() {
	view.window.isPart = true;
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
	else if (event.key === 'Enter') readLine(...view.cursor);
	else if (event.key.toLowerCase() === 'p') $('sliders').querySelector('button:enabled')?.click();
	else return;
	event.preventDefault();
}

function listen() {
	const pointers = new Map();
	const place = (event) => {
		const box = picture.getBoundingClientRect();
		return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
	};
	let pressed = null; // where the pointer went down
	picture.onpointerdown = (event) => {
		picture.setPointerCapture(event.pointerId);
		pointers.set(event.pointerId, place(event));
		pressed = [event.clientX, event.clientY];
	};
	picture.onpointerup = picture.onpointercancel = (event) => {
		pointers.delete(event.pointerId);
		const isClick = event.type === 'pointerup' && pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 4;
		pressed = null;
		if (view && isClick) readLine(...elementAt(place(event)), view.line?.d);
	};
	const elementAt = ([fx, fy]) => {
		const w = view.window;
		return [view.y < 0 ? 0 : floor(w.y0 + fy * (w.y1 - w.y0)), floor(w.x0 + fx * (w.x1 - w.x0))];
	};
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
			view.cursor = elementAt([fx, fy]);
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
	$('whole').onclick = () => whole();
	$('inverted').onchange = $('stretch').onchange = $('coast').onchange = redraw;
	$('grid').onchange = () => view && askChunks();
	$('link').onclick = async () => {
		await copy(new URL(document.body.dataset.version || '', document.baseURI).href + (view ? write(here, stateNow()) : hashOf(here)));
		$('link').textContent = 'Copied';
		setTimeout(() => { $('link').textContent = 'Copy link'; }, 2000);
	};
	$('png').onclick = savePng;
	$('csv').onclick = () => {
		const tile = view?.tiles.at(-1);
		if (tile?.isComplete) saveCsv(tile, view.y < 0 ? [[view.x, tile.x]] : [[view.y, tile.y], [view.x, tile.x]], unitsOf(view.node.attributes));
	};
	$('line-csv').onclick = () => saveCsv(view.line, [[view.line.d, { from: 0, step: view.line.step, count: view.line.values.length }]], unitsOf(view.node.attributes));
	$('line-close').onclick = () => { closeLine(); redraw(); };
	$('along').onchange = () => readLine(view.line.j, view.line.i, +$('along').value);
	$('line').onclick = (event) => {
		const { d } = view.line;
		if (d === view.x || d === view.y || d === colourAxis()) return;
		const { left, width } = $('line').getBoundingClientRect();
		goTo(d, max(0, min(view.shape[d] - 1, floor(((event.clientX - left) / width) * view.shape[d]))));
	};
	$('label').onchange = () => chooseLabel($('label').value);
	$('pace').oninput = () => { view.pace = +$('pace').value; keep(); };
	$('pause').onclick = () => {
		isPaused = !isPaused;
		$('pause').textContent = isPaused ? 'Go on' : 'Pause';
		keep();
	};
	$('again').onclick = () => {
		if (isPaused) $('pause').click();
		view.tiles = [];
		load();
	};
	$('low').onchange = $('high').onchange = () => {
		$('stretch').value = 'fixed';
		redraw();
	};
	$('colours').onchange = () => (colourAxis() === view.colour ? redraw() : setAxes(view.window.isPart && windowOf(view.window)));
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
	onresize = () => view && whole(view.window.isPart && windowOf(view.window));
	matchMedia('(prefers-color-scheme: dark)').onchange = redraw;
	onhashchange = route;
	document.onvisibilitychange = watch;
}

const windowOf = ({ x0, x1, y0, y1 }) => [x0, x1, y0, y1];

function route() {
	const [path, state] = readState(location.hash);
	const arrays = [...nodes.values()].filter((node) => node.kind === 'array');
	open(path ?? (arrays.find((node) => node.shape.length > 1) || arrays[0])?.path ?? '/', state);
}

listen();
watch();
loadTree().catch((error) => { $('count').textContent = `The tree could not be read. ${error.message}`; }).then(route);
