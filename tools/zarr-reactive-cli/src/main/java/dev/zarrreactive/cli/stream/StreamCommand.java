package dev.zarrreactive.cli.stream;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.options.ConcurrencyOption;
import dev.zarrreactive.cli.options.SelectOption;
import dev.zarrreactive.dataset.Variable;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import reactor.core.publisher.Mono;

/** {@code zarr stream}. */
@Command(
    name = "stream",
    headerHeading = "Example: zarr stream earth.zarr/earth/rgb --delay 50%n",
    description = "Shows the chunks of an array as they arrive, and the requests.")
public final class StreamCommand extends NodeOperation {
  @Mixin private final SelectOption select = new SelectOption();
  @Mixin private final ConcurrencyOption concurrency = new ConcurrencyOption();

  @Option(
      names = "--in-order",
      description = "In C order of the indices, instead of as they arrive.")
  private boolean inOrder;

  @Option(
      names = "--delay",
      paramLabel = "MS",
      description = "What a chunk takes the consumer, in milliseconds.")
  private long delay;

  @Option(names = "--json", description = "Print each chunk as a JSON object on a line.")
  private boolean json;

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (delay < 0) {
      throw new ParameterException(spec().commandLine(), "--delay may not be negative");
    }
    Traffic traffic = new Traffic();
    return location()
        .observedBy(traffic)
        .in(
            concurrency.of(options()),
            place ->
                withWarnings(place.openArray())
                    .flatMap(array -> stream(array, traffic).writeTo(console)));
  }

  private ChunkStream stream(ZarrArray array, Traffic traffic) {
    Selection selection =
        select.named(Variable.of(array, List.of(), Set.of())).storedSelection(select.orAll());
    return new ChunkStream(
        inOrder ? array.chunksInOrder(selection) : array.chunks(selection),
        selection.resolve(array.shape()).shape().elementCount(),
        traffic,
        Duration.ofMillis(delay),
        json);
  }
}
