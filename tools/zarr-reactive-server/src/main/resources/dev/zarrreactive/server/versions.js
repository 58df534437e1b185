// The versions of a served store: which one is shown, and links to the others.
// Text of the store enters by textContent alone, so none of it can run.

const $ = (id) => document.getElementById(id);

function make(tag, text, ...children) {
	const element = document.createElement(tag);
	element.textContent = text;
	element.append(...children);
	return element;
}

/** Returns the page of a version, at the node that is shown now. */
const pageOf = (document, href) => new URL(`${href}api/`, document).href + location.hash;
const day = (time) => time.slice(0, 19).replace('T', ' ');

function groupOf(label, kind, refs, told) {
	const group = make('optgroup', '', ...refs.map((ref) => {
		const option = make('option', ref.name);
		option.value = ref.href;
		option.selected = told.version === kind + ref.name;
		return option;
	}));
	group.label = label;
	return group;
}

function show(told, address) {
	const chooser = $('version');
	const [now] = told.history;
	document.body.dataset.version = new URL(`${now.href}api/`, address).href; // for links that stay
	chooser.replaceChildren(...[['Branches', 'branch.', told.branches], ['Tags', 'tag.', told.tags]]
		.filter(([, , refs]) => refs.length)
		.map(([label, kind, refs]) => groupOf(label, kind, refs, told)));
	if (!told.version.includes('.')) { // a snapshot by its id
		const option = make('option', told.version);
		option.value = now.href;
		chooser.prepend(option);
		option.selected = true;
	}
	chooser.onchange = () => { location.href = pageOf(address, chooser.value); };
	$('snapshot').textContent = `${now.id} · ${day(now.time)} · ${now.message}`;
	$('history').replaceChildren(...told.history.map((snapshot) => {
		const link = make('a', snapshot.message || snapshot.id, make('small', day(snapshot.time)));
		link.href = pageOf(address, snapshot.href);
		link.onclick = () => { link.href = pageOf(address, snapshot.href); };
		link.title = snapshot.id;
		if (snapshot === now) link.ariaCurrent = 'true';
		return make('li', '', link);
	}));
	$('more').hidden = told.is_complete;
	$('versions').hidden = false;
}

const answer = await fetch('versions.json').catch(() => null);
if (answer?.ok) show(await answer.json(), answer.url);
