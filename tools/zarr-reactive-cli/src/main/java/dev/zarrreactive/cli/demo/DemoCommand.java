package dev.zarrreactive.cli.demo;

import dev.zarrreactive.cli.command.Subcommand;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import reactor.core.publisher.Mono;

/** {@code zarr demo}. */
@Command(
    name = "demo",
    headerHeading = "Examples: zarr demo --delay 100%n" + "          zarr demo --save earth.zarr%n",
    description = {
      "Streams a map of the Earth, and draws it.",
      "A slow consumer shows back-pressure at work."
    })
public final class DemoCommand extends Subcommand {
  @Option(
      names = "--png",
      paramLabel = "FILE",
      description = "Write the picture to this file, too.")
  private @Nullable Path png;

  @Option(
      names = "--delay",
      paramLabel = "MS",
      defaultValue = "60",
      description = "How long the consumer takes for a chunk; ${DEFAULT-VALUE} by default.")
  private long delay;

  @Option(
      names = "--latency",
      paramLabel = "MS",
      defaultValue = "150",
      description = "How long the store takes for a request; ${DEFAULT-VALUE} by default.")
  private long latency;

  @Option(
      names = "--page",
      description = "Serve a page in which the map arrives, and open it, until Ctrl-C.")
  private boolean isPage;

  @Option(
      names = "--save",
      paramLabel = "DIR",
      description = "Only write the demonstration's hierarchy to a directory.")
  private @Nullable Path directory;

  @Override
  protected String subject() {
    return directory == null ? "" : directory.toString();
  }

  @Override
  protected String adviceAfterInterrupt() {
    return "";
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    command().storeSettings(spec()).checkedFor();
    if (delay < 0 || latency < 0) {
      throw new ParameterException(
          spec().commandLine(), "--delay and --latency may not be negative");
    }
    if (isPage && directory != null) {
      throw new ParameterException(
          spec().commandLine(), "--page and --save are two demonstrations; give one of them");
    }
    if (isPage) {
      return new DemoPage(
              Duration.ofMillis(delay),
              Duration.ofMillis(latency),
              command().environment(),
              console)
          .serve();
    }
    Path picture = png == null ? null : png.toAbsolutePath().getParent();
    if (picture != null && !Files.isDirectory(picture)) {
      throw new CommandFailure("cannot write " + png + ": no such directory");
    }
    return directory == null
        ? Demo.run(
            new Demo.Settings(png, Duration.ofMillis(delay), Duration.ofMillis(latency), colours()),
            console)
        : save(directory, console);
  }

  private static Mono<Void> save(Path directory, CommandConsole console) {
    return Mono.fromCallable(() -> isTaken(directory))
        .flatMap(
            isTaken ->
                isTaken
                    ? Mono.error(
                        new CommandFailure("something is there already; nothing was written"))
                    : copy(directory, console))
        .subscribeOn(console.thread());
  }

  /** Returns whether anything but an empty directory is there. */
  private static boolean isTaken(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return Files.exists(directory, LinkOption.NOFOLLOW_LINKS);
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isPresent();
    }
  }

  private static Mono<Void> copy(Path directory, CommandConsole console) {
    return DemoHierarchy.copyTo(FileSystemStore.open(directory))
        .then(
            Mono.<Void>fromRunnable(
                    () ->
                        console.note(
                            "Saved. Try: "
                                + System.getProperty("zarr.command", "zarr")
                                + " tree "
                                + Printable.of(directory.toString())))
                .subscribeOn(console.thread()));
  }
}
