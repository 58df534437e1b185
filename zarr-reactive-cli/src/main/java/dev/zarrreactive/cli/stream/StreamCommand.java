package dev.zarrreactive.cli.stream;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.options.SelectionConverter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import reactor.core.publisher.Mono;

/** {@code zarr stream}. */
@Command(
    name = "stream",
    headerHeading = "Example: zarr stream earth.zarr/earth/rgb --delay 50%n",
    description = "Shows the chunks of an array as they arrive, and the requests.")
public final class StreamCommand extends NodeOperation {
  @Option(
      names = "--select",
      paramLabel = "SELECTION",
      converter = SelectionConverter.class,
      description = "In NumPy notation: 0:10,::2,5; all by default.")
  private Selection selection = Selection.all();

  @Option(
      names = "--in-order",
      description = "In C order of the indices, instead of as they arrive.")
  private boolean inOrder;

  @Option(
      names = "--delay",
      paramLabel = "MS",
      description = "What a chunk takes the consumer, in milliseconds.")
  private long delay;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      description = "The most chunks in flight; 64 by default.")
  private @Nullable Integer concurrency;

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (delay < 0 || (concurrency != null && concurrency < 1)) {
      throw new ParameterException(
          spec().commandLine(), "--delay may not be negative, --concurrency must be 1 or more");
    }
    ZarrOptions options = options();
    if (concurrency != null) {
      options = options.withMaxConcurrency(concurrency);
    }
    Traffic traffic = new Traffic();
    return location()
        .observedBy(traffic)
        .in(
            options,
            place ->
                warned(place.openArray())
                    .flatMap(array -> stream(array, traffic).writeTo(console)));
  }

  private ChunkStream stream(ZarrArray array, Traffic traffic) {
    return new ChunkStream(
        inOrder ? array.chunksInOrder(selection) : array.chunks(selection),
        selection.resolve(array.shape()).shape().elementCount(),
        traffic,
        Duration.ofMillis(delay));
  }
}
