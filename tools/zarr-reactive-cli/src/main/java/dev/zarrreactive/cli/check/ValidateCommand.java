package dev.zarrreactive.cli.check;

import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.describe.TextColumns;
import dev.zarrreactive.cli.location.LocalLocation;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.ConcurrencyOption;
import dev.zarrreactive.cli.options.NodeGlobs;
import dev.zarrreactive.cli.process.ExitCode;
import dev.zarrreactive.cli.stream.ReadBytes;
import dev.zarrreactive.cli.stream.WorkProgress;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.icechunk.IcechunkFinding;
import dev.zarrreactive.icechunk.IcechunkOrigin;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.internal.copying.PathGlobs;
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
      "Of an Icechunk repository it checks the files of the version, too.",
      "Goes on after a finding. The exit code is 1 with findings."
    })
public final class ValidateCommand extends NodeOperation {
  @Option(names = "--data", description = "Decode every stored chunk, too.")
  private boolean data;

  @Option(
      names = "--history",
      description = "Check the files of every snapshot of an Icechunk repository.")
  private boolean history;

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
    IcechunkOrigin version = IcechunkOrigin.of(place.hierarchy().store()).orElse(null);
    if (history && version == null) {
      return place
          .inspect()
          .then(
              Mono.error(
                  () ->
                      new CommandFailure(
                          "--history is for an Icechunk repository, whose snapshots it checks;"
                              + " this is none")));
    }
    boolean isChosen = history || choice.acceptsAll();
    boolean isOfFiles = version != null && isChosen;
    return Flux.concat(
            List.of(
                version != null && isChosen ? files(version) : Flux.<Finding>empty(),
                check.of(place.node(), choice).onErrorResume(StoreException.class, this::ended),
                choice.acceptsAll() ? leftovers() : Flux.<Finding>empty()))
        .publishOn(console.thread())
        .doOnNext(
            finding -> {
              findings.incrementAndGet();
              progress.clear();
              if (json) {
                console.out().println(finding.json().toString());
              } else if (!console.isQuiet()) {
                String sentence = Printable.of(finding.toString());
                TextColumns.wrapped(sentence, "  ", console.terminal().lineLength())
                    .forEach(console.out()::println);
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
                    console.remark(summary(check, isOfFiles));
                  } else {
                    console.note(summary(check, isOfFiles));
                  }
                }));
  }

  /** Checks the files of a repository; what is no fault there is a warning. */
  private Flux<Finding> files(IcechunkOrigin version) {
    IcechunkRepository repository = version.repository();
    Flux<IcechunkFinding> found =
        history
            ? repository.checkHistory()
            : repository.check(IcechunkVersion.snapshot(version.snapshot().id()));
    return found.mapNotNull(
        each -> {
          if (each.isFault()) {
            return new Finding(each.key(), each.text());
          }
          command().warnings().add(each.toString());
          return null;
        });
  }

  /** A file of a repository that was found to be missing also ends the listing of its keys. */
  private Flux<Finding> ended(StoreException error) {
    if (findings.get() == 0) {
      return Flux.error(error);
    }
    command().warnings().add("the rest of the nodes was not checked: " + error.getMessage());
    return Flux.empty();
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

  private String summary(HierarchyCheck check, boolean isOfFiles) {
    return "Checked "
        + Quantities.plural(check.nodes(), "node")
        + (data ? " and " + Quantities.plural(check.chunks(), "stored chunk") : "")
        + (isOfFiles ? " and the files of " + (history ? "every snapshot" : "the snapshot") : "")
        + ": "
        + (findings.get() == 0
            ? "no findings."
            : Quantities.plural(findings.get(), "finding") + ".");
  }
}
