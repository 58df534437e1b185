// What is in a group, as a dataset: its dimensions, coordinates and variables, and the groups below.
// Text of the store enters by textContent alone, so none of it can run.

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];

/** Returns a number of bytes with three digits. */
export function bytes(n) {
	let [part, k] = [n, 0];
	for (; part >= 999.5 && k < UNITS.length - 1; k++) part /= 1000;
	return `${+part.toPrecision(3)} ${UNITS[k]}`;
}

export function make(tag, text, ...children) {
	const element = document.createElement(tag);
	element.textContent = text;
	element.append(...children);
	return element;
}

export const named = ({ path }) => path.slice(path.lastIndexOf('/') + 1) || '/';

/** Returns the coordinates and the other variables. */
function divided(arrays, attributes) {
	const names = new Set([...arrays.map((one) => one.attributes), attributes].flatMap(({ coordinates }) =>
		(typeof coordinates === 'string' ? coordinates.split(' ') : [])));
	const isCoordinate = (one) => one.dimensions.includes(named(one)) || names.has(named(one));
	return [arrays.filter(isCoordinate), arrays.filter((one) => !isCoordinate(one))];
}

/** Returns the dimensions of all arrays with their sizes, those without a name left out. */
function dimensionsOf(arrays) {
	const found = new Map();
	const byRank = [...arrays].sort((a, b) => b.shape.length - a.shape.length);
	for (const { dimensions, shape } of byRank) dimensions.forEach((name, d) => name !== null && !found.has(name) && found.set(name, shape[d]));
	return found;
}

function rowOf(one, hashOf) {
	const { attributes: { long_name: long, standard_name: standard, units }, dimensions, shape, decoded, data_type: type } = one;
	const link = make('a', named(one));
	link.href = hashOf(one.path);
	const values = make('td', '');
	values.dataset.path = one.path;
	const isTime = decoded?.rules.includes('time');
	const about = make('td', long || standard?.replaceAll('_', ' ') || '', make('small', units && units !== '1' && !isTime ? ` ${units}` : ''));
	return make('tr', '', make('th', '', link), make('td', `(${dimensions.map((name, d) => name ?? shape[d]).join(', ')})`),
		make('td', isTime ? 'time' : decoded?.data_type || type), about, values, make('td', one.bytes === undefined ? '' : bytes(one.bytes)));
}

function tableOf(title, arrays, hashOf) {
	const head = make('tr', '', ...[title, 'dimensions', 'type', 'what it is', '', 'size'].map((text) => make('th', text)));
	const body = make('tbody', '', ...arrays.map((one) => rowOf(one, hashOf)));
	return make('div', '', make('table', '', make('thead', '', head), body));
}

/**
 * Shows a group in an element.
 *
 * @param valuesOf tells the values of an array in words
 */
export function show(element, { path, children, attributes, is_complete: isComplete }, hashOf, valuesOf) {
	const arrays = children.filter(({ kind }) => kind === 'array').sort((a, b) => (a.path < b.path ? -1 : 1));
	const groups = children.filter(({ kind }) => kind !== 'array');
	const sizes = dimensionsOf(arrays);
	const [coordinates, variables] = divided(arrays, attributes);
	const parts = [];
	if (sizes.size) parts.push(make('p', 'Dimensions: ', ...[...sizes].map(([name, size]) => make('span', name, make('b', size.toLocaleString('en'))))));
	if (coordinates.length) parts.push(tableOf('Coordinates', coordinates, hashOf));
	if (variables.length) parts.push(tableOf(sizes.size ? 'Variables' : 'Arrays', variables, hashOf));
	if (groups.length) {
		parts.push(make('p', 'Groups: ', ...groups.map((one) => {
			const link = make('a', named(one));
			link.href = hashOf(one.path);
			return link;
		})));
	}
	if (!parts.length) parts.push(make('p', 'Nothing is in this group, or the store cannot list.'));
	if (!isComplete) parts.push(make('p', 'There are more than this server tells.'));
	const total = arrays.reduce((sum, one) => sum + (one.bytes || 0), 0);
	if (total) parts.push(make('p', `${arrays.length} arrays, ${bytes(total)} as values`));
	parts[0].classList.add(sizes.size ? 'dimensions' : 'none');
	element.replaceChildren(...parts);
	element.hidden = false;
	element.dataset.shown = path;
	for (const one of coordinates.filter(({ shape }) => shape.length === 1 && shape[0]).slice(0, 12)) {
		valuesOf(one).then((text) => {
			for (const cell of element.querySelectorAll('td[data-path]')) if (cell.dataset.path === one.path) cell.textContent = text;
		}, () => {});
	}
}
