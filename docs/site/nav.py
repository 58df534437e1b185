"""The parts of the site that MkDocs has no setting for: the navigation, from docs/README.md, and anchors as
GitHub makes them."""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

LIST = "docs/README.md"
ROW = re.compile(r"\| \[([^]]+)\]\(([^)#]+)\) \|")

# what people who look for an answer seldom mean is found, but later
SELDOM = ("docs/decisions/", "benchmarks/history.md", "CHANGELOG.md", "docs/api/")


def slug(text, separator):
    """Returns the anchor of a heading as GitHub makes it; a test of the project does the same."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", separator)


def sections(pages):
    """Returns the titles of docs/README.md with the lines below each."""
    found = []
    for line in (Path(pages) / LIST).read_text().splitlines():
        if line.startswith("## "):
            found.append((line[3:], []))
        elif found:
            found[-1][1].append(line)
    return found


def from_root(link):
    return posixpath.normpath(posixpath.join(posixpath.dirname(LIST), link))


def on_config(config):
    config.mdx_configs["toc"]["slugify"] = slug
    nav = [{"Home": "README.md"}]
    for title, lines in sections(config.docs_dir):
        items = [{"All of it": title.lower() + "/index.md"}]
        into = items
        for line in lines:
            row = ROW.match(line)
            if line.startswith("### "):
                into = []
                items.append({line[4:]: into})
            elif row:
                into.append({row.group(1): from_root(row.group(2))})
        nav.append({title: items})
    if config.extra.get("api"):
        nav.append({"API": "api/index.html"})
    config.nav = nav
    return config


def on_files(files, config):
    """Adds a page for each section, with every page of it, and the files of the theme that are beside this one."""
    for title, lines in sections(config.docs_dir):
        text = "\n".join(["# " + title, *lines])
        text = re.sub(r"\]\(([^):#]+)\)", lambda link: "](../%s)" % from_root(link[1]), text)
        files.append(File.generated(config, title.lower() + "/index.md", content=text))
    here = Path(__file__).parent
    for name in ("site.css", "favicon.svg"):
        files.append(File.generated(config, name, content=(here / name).read_text()))
    return files


def on_page_markdown(markdown, page, config, files):
    if page.file.src_uri == "README.md":
        page.meta["hide"] = ["navigation"]
    if page.file.src_uri.startswith(SELDOM):
        page.meta.setdefault("search", {})["boost"] = 0.2
    # a fence of another library begins with its name, for the tests and for readers
    markdown = re.sub(r"^<!-- ([\w-]+) -->\n```(\w+)(?: [\w-]+)?$", titled, markdown, flags=re.MULTILINE)
    return re.sub(r"^<!--.*-->\n", "", markdown, flags=re.MULTILINE)


def titled(fence):
    name, language = fence.groups()
    return "```%s" % language if name == "run" else '```%s title="%s"' % (language, name)
