package dev.zarrreactive.cli.check;

import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.location.LocalLocation;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.ConcurrencyOption;
import dev.zarrreactive.cli.options.NodeGlobs;
import dev.zarrreactive.cli.process.ExitCode;
import dev.zarrreactive.cli.stream.ReadBytes;
import dev.zarrreactive.cli.stream.WorkProgress;
import dev.zarrreactive.internal.text.PathGlobs;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@code zarr validate}. */
@Command(
    name = "validate",
    headerHeading = "Example: zarr validate earth.zarr --data%n",
    description = {
      "Checks the metadata of all nodes; --data decodes every chunk.",
      "Goes on after a finding. The exit code is 1 with findings."
    })
public final class ValidateCommand extends NodeOperation {
  @Option(names = "--data", description = "Decode every stored chunk, too.")
  private boolean data;

  @Mixin private final NodeGlobs globs = new NodeGlobs();
  @Mixin private final ConcurrencyOption concurrency = new ConcurrencyOption();

  @Option(names = "--json", description = "Print each finding as a JSON object on a line.")
  private boolean json;

  private final AtomicLong findings = new AtomicLong();

  @Override
  protected int exitCode() {
    return findings.get() == 0 ? ExitCode.SUCCESS : ExitCode.FAILURE;
  }

  @Override
  protected String adviceAfterInterrupt() {
    return "the rest was not checked";
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    ReadBytes read = new ReadBytes();
    WorkProgress progress = new WorkProgress(console, "checked", read);
    return location()
        .observedBy(read)
        .in(concurrency.of(options()), place -> progress.beside(check(place, progress, console)));
  }

  private Mono<Void> check(NodePlace place, WorkProgress progress, CommandConsole console) {
    HierarchyCheck check =
        new HierarchyCheck(
            place.hierarchy(),
            concurrency.of(options()),
            data,
            command().warnings()::seeAll,
            command().warnings()::add,
            progress);
    PathGlobs choice = globs.choice();
    return Flux.concat(
            List.of(
                check.of(place.node(), choice),
                choice.acceptsAll() ? leftovers() : Flux.<Finding>empty()))
        .publishOn(console.thread())
        .doOnNext(
            finding -> {
              findings.incrementAndGet();
              progress.clear();
              if (json) {
                console.out().println(finding.json().toString());
              } else if (!console.isQuiet()) {
                console.out().println(Printable.of(finding.toString()));
              }
            })
        .doOnTerminate(this::printWarnings)
        .then(
            Mono.fromRunnable(
                () -> {
                  progress.clear();
                  if (data) {
                    check.missing().stream()
                        .map(Printable::of)
                        .forEach(json ? console::remark : console::note);
                  }
                  if (json) {
                    console.remark(summary(check));
                  } else {
                    console.note(summary(check));
                  }
                }));
  }

  /** Finds the hidden files of dead writers, which only a directory of this machine has. */
  private Flux<Finding> leftovers() {
    if (!LocationText.isLocal(subject())) {
      return Flux.empty();
    }
    Path directory = LocalLocation.path(subject());
    return Files.isDirectory(directory)
        ? FileSystemStore.open(directory)
            .leftovers()
            .map(
                file ->
                    new Finding(file.path(), "left by a writer that died; zarr clean removes it"))
        : Flux.empty();
  }

  private String summary(HierarchyCheck check) {
    return "Checked "
        + Quantities.plural(check.nodes(), "node")
        + (data ? " and " + Quantities.plural(check.chunks(), "stored chunk") : "")
        + ": "
        + (findings.get() == 0
            ? "no findings."
            : Quantities.plural(findings.get(), "finding") + ".");
  }
}
