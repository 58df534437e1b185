package dev.zarrreactive.cli.change;

import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.stream.ProgressBar;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.ListEntry;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;

/** {@code zarr rm}. */
@Command(
    name = "rm",
    headerHeading = "Example: zarr rm earth.zarr/earth/rgb --yes%n",
    description = {
      "Erases an array, or a group with everything below it.",
      "Also an unfinished copy, and files of other programs there."
    })
public final class RmCommand extends NodeOperation {
  @Option(
      names = {"-y", "--yes"},
      description = "Erase unasked; elsewhere than on a terminal, only so.")
  private boolean yes;

  @Option(names = "--dry-run", description = "Only say what would be erased.")
  private boolean dryRun;

  /** The values at a place. */
  private record Found(long count, long bytes) {
    Found plus(ListEntry.Key value) {
      return new Found(count + 1, bytes + Math.max(0, value.size()));
    }

    String text() {
      return Quantities.plural(count, "value") + ", " + Quantities.bytes(bytes);
    }
  }

  @Override
  protected String adviceAfterInterrupt() {
    return "a part is erased; the same command erases the rest";
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    return locationInHierarchy().in(options(), place -> erase(place, console));
  }

  private Mono<Void> erase(NodePlace place, CommandConsole console) {
    place.checkWritable();
    NodePath path = NodePath.of(place.node());
    return place
        .hierarchy()
        .requests()
        .listValues(path.prefix())
        .reduce(new Found(0, 0), Found::plus)
        .flatMap(
            found -> {
              if (found.count() == 0) {
                throw new CommandFailure("nothing is stored here");
              }
              if (dryRun || !(yes || console.terminal().in())) {
                return say("Would erase " + found.text() + ".", console);
              }
              return (yes ? Mono.just(true) : ask(found, console))
                  .flatMap(
                      isAgreed ->
                          isAgreed
                              ? consolidatedAbove(place)
                                  .flatMap(groups -> erase(place, found, groups, console))
                              : Mono.error(new CommandFailure("nothing is erased")));
            });
  }

  /** Asks the user, and reads a line of standard input. */
  private Mono<Boolean> ask(Found found, CommandConsole console) {
    return Mono.fromCallable(
            () -> {
              console.err().print(Printable.of("Erase " + found.text() + " of " + subject()));
              console.err().print("? [y/N] ");
              console.err().flush();
              Charset charset = console.terminal().charset();
              String line =
                  new BufferedReader(new InputStreamReader(console.in(), charset)).readLine();
              String answer = line == null ? "" : line.strip().toLowerCase(Locale.ROOT);
              return answer.equals("y") || answer.equals("yes");
            })
        .subscribeOn(console.thread());
  }

  private Mono<Void> say(String sentence, CommandConsole console) {
    return Mono.<Void>fromRunnable(
            () -> {
              console.out().println(sentence);
              if (!dryRun) {
                throw new CommandFailure("only --yes erases");
              }
            })
        .subscribeOn(console.thread());
  }

  private static Mono<Void> erase(
      NodePlace place, Found found, List<String> groups, CommandConsole console) {
    ProgressBar bar = new ProgressBar(console);
    return place
        .hierarchy()
        .eraseInSteps(place.node())
        .publishOn(console.thread())
        .doOnNext(
            erased ->
                bar.draw(
                    Math.min(1, (double) erased / found.count()),
                    Quantities.plural(erased, "value") + " erased"))
        .doFinally(signal -> bar.clear())
        .then(
            Mono.fromRunnable(
                () -> {
                  console.note("Erased " + found.text() + ".");
                  reportRemoved(groups, console);
                }));
  }
}
