"""Makes the javadoc of all modules that applications use, in one tree with a group for each module.

The modules are those of the bill of materials. Of a module with a module-info the packages are those that it
exports to everybody, of another one those that are not named internal. The command is a program and has none.
"""

import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


# public for Spark or for other packages of the module, and not for applications
INSIDE = ("dev.zarrreactive.spark.bridge", "dev.zarrreactive.spark.write")


def folders():
    """Returns the folder of each artifact."""
    named = re.findall(r"<module>([^<]+)</module>", (ROOT / "pom.xml").read_text())
    return {Path(name).name: ROOT / name for name in named}


def modules():
    """Returns the artifacts with a public API, in the order of the bill of materials, with their packages."""
    bom = (ROOT / "zarr-reactive-bom/pom.xml").read_text()
    managed = bom[bom.index("<dependencyManagement>") :]
    there = folders()
    found = {}
    for artifact in re.findall(r"<artifactId>(zarr-reactive-[^<]+)</artifactId>", managed):
        if artifact in there and artifact != "zarr-reactive-cli":
            packages = packages_of(there[artifact] / "src/main/java")
            if packages:
                found[artifact] = packages
    return found


def packages_of(sources):
    info = sources / "module-info.java"
    if info.exists():
        return re.findall(r"^\s*exports ([\w.]+);", info.read_text(), re.MULTILINE)
    inside = (path.parent.relative_to(sources) for path in sources.rglob("package-info.java"))
    names = sorted(".".join(path.parts) for path in inside)
    return [name for name in names if ".internal" not in name and name not in INSIDE]


def maven(*words):
    command = [str(ROOT / "mvnw"), "-B", "-ntp", "-q", *words]
    subprocess.run(command, cwd=ROOT, check=True)


def make(to, version, offline=False):
    """Compiles the modules and writes their javadoc into a directory."""
    listed = modules()
    maven(
        *(["-o"] if offline else []),
        "-pl",
        ",".join(":" + artifact for artifact in listed),
        "-am",
        "test-compile", # some modules have the tests of others in their dependencies
        "org.apache.maven.plugins:maven-dependency-plugin:build-classpath",
        "-Dmdep.outputFile=target/site.cp",
        "-Dmdep.includeScope=compile",
    )
    places = folders()
    path, sources, groups = [], [], []
    for artifact, packages in listed.items():
        place = places[artifact]
        for entry in (place / "target/site.cp").read_text().strip().split(os.pathsep):
            if entry not in path:
                path.append(entry)
        groups += ["-group", artifact, ":".join(packages)]
        for package in packages:
            sources += sorted((place / "src/main/java").joinpath(*package.split(".")).glob("*.java"))
    classes = [str(place / "target/classes") for place in places.values() if (place / "target/classes").is_dir()]
    path = classes + [entry for entry in path if entry not in classes]
    overview = to.parent / "overview.html"
    overview.write_text(
        "<html><body>The public API of zarr-reactive, by module. Begin at "
        "{@link dev.zarrreactive.Zarr}.</body></html>\n"
    )
    title = "zarr-reactive " + version
    arguments = ["-d", str(to), "-classpath", os.pathsep.join(path), "-overview", str(overview)]
    arguments += ["-windowtitle", title, "-doctitle", title, *groups]
    arguments += ["-encoding", "UTF-8", "-docencoding", "UTF-8", "-charset", "UTF-8", "--release", "17"]
    arguments += ["-quiet", "-notimestamp", "-Xdoclint:none", "-Xmaxwarns", "20", "-noqualifier", "java.*:reactor.*"]
    file = to.parent / "javadoc.args"
    quoted = ['"%s"' % str(word).replace("\\", "\\\\") for word in arguments + sources]
    file.write_text("\n".join(quoted) + "\n")
    java_home = os.environ.get("JAVA_HOME")
    program = str(Path(java_home, "bin/javadoc")) if java_home else "javadoc"
    subprocess.run([program, "@" + str(file)], check=True)
    file.unlink()
    overview.unlink()
