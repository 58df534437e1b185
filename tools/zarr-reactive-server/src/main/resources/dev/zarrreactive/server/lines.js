// Lines that read what is shown, to copy: by the command, by Java and by Python.

const quoted = (text) => JSON.stringify(text);

/** Returns the address of the store, and of a node in it. */
function placesOf(path) {
	const root = new URL('..', document.baseURI).href.replace(/\/$/, '');
	return [root, [root, ...path.split('/').filter(Boolean).map(encodeURIComponent)].join('/').replaceAll("'", '%27')];
}

/** Returns the lines for a group. */
export function ofGroup(path) {
	const [root, url] = placesOf(path);
	return [['zarr', `zarr header '${url}'`], ['Java', `Dataset.open(Zarr.at(${quoted(url)}))`],
		['Python', path === '/' ? `xarray.open_zarr(${quoted(root)})` : `xarray.open_zarr(${quoted(root)}, group=${quoted(path.slice(1))})`]];
}

/** Returns the lines for a selection of an array. */
export function ofArray({ path, dimensions }, select, isDecoded, hasCoordinates) {
	const [root, url] = placesOf(path);
	const cut = path.lastIndexOf('/');
	const name = quoted(path.slice(cut + 1));
	const isOfDataset = cut >= 0 && path !== '/' && dimensions.every(Boolean) && (isDecoded || hasCoordinates);
	const group = cut > 0 ? `, group=${quoted(path.slice(1, cut))}` : '';
	const above = quoted(placesOf(path.slice(0, cut))[1]);
	return [
		['zarr', `zarr read '${url}' --select '${select}'${isDecoded ? ' --decode' : ''}`],
		['Java', isOfDataset ? `Dataset.open(Zarr.at(${above})).flatMap(d -> d.variable(${name}).read("${select}"))`
			: `Zarr.at(${quoted(url)}).openArray().flatMap(a -> a.read("${select}"))`],
		['Python', isOfDataset ? `xarray.open_zarr(${quoted(root)}${group})[${name}][${select}]` : `zarr.open_array(${quoted(url)}, mode="r")[${select}]`],
	];
}

/** Copies text, also where the page has come without TLS from another machine. */
export async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		const area = document.createElement('textarea');
		area.value = text;
		document.body.append(area);
		area.select();
		document.execCommand('copy');
		area.remove();
	}
}

/** Gives a file to the person at the browser. */
export function save(name, blob) {
	const link = document.createElement('a');
	link.href = URL.createObjectURL(blob);
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Returns a field of CSV. A spreadsheet takes none for a formula. */
export function field(value) {
	const text = String(value);
	const safe = /^[=+@\t]|^-(?![\d.])/.test(text) ? `'${text}` : text;
	return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
