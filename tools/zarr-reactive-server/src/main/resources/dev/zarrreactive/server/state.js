// The state of the page in the part of its address behind #, so that a link shows the same.

export const address = (path, resource) => [...path.split('/').filter(Boolean).map(encodeURIComponent), resource].join('/');

export const hashOf = (path) => '#/' + address(path, '').replace(/\/$/, '');

/** Returns the address of a node with a state. */
export function write(path, state) {
	const text = new URLSearchParams(Object.entries(state)).toString();
	return hashOf(path) + (text && `?${text.replaceAll('%2C', ',').replaceAll('%3A', ':')}`);
}

/** Returns the node and the state of an address; null for the node if there is none. */
export function read(hash) {
	const [path, text] = hash.split('?');
	try {
		return [path.startsWith('#/') ? '/' + decodeURIComponent(path.slice(2)) : null, new URLSearchParams(text)];
	} catch { // no path
		return [null, new URLSearchParams()];
	}
}

/** Returns a parameter as numbers; null unless there are `count` of them. */
export function numbersOf(state, name, count) {
	const found = (state.get(name) || '').split(',').map((part) => (part ? Number(part) : NaN));
	return found.length === count && found.every(Number.isFinite) ? found : null;
}
