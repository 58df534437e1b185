package dev.zarrreactive.cli.demo;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Out;
import dev.zarrreactive.cli.console.OutputException;
import dev.zarrreactive.cli.describe.ArrayDescription;
import dev.zarrreactive.cli.describe.Tree;
import dev.zarrreactive.cli.output.OutputFile;
import dev.zarrreactive.cli.stream.Traffic;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The demonstration: opens a hierarchy of another program, describes it, and streams one of its
 * arrays from a simulated distant store to a slow consumer that draws it.
 */
public final class Demo {
  /**
   * The settings of the demonstration.
   *
   * @param png the file of the picture; null for none
   * @param delay the time that the consumer takes for a chunk
   * @param latency the mean time that the store takes for a request
   * @param colours of standard output
   */
  public record Settings(@Nullable Path png, Duration delay, Duration latency, Colours colours) {}

  private static final String ARRAY = "earth/rgb";

  /** The number of chunks in flight. */
  private static final int CONCURRENCY = 8;

  private static final Duration FRAME = Duration.ofMillis(40);

  private final Settings settings;
  private final CommandConsole console;
  private final Traffic traffic = new Traffic();
  private final ChunkStates states = new ChunkStates();

  private Demo(Settings settings, CommandConsole console) {
    this.settings = settings;
    this.console = console;
  }

  /** Runs the demonstration. */
  public static Mono<Void> run(Settings settings, CommandConsole console) {
    return Mono.using(
        () -> Schedulers.newParallel("zarr-demo-clock", 1, true),
        clock -> new Demo(settings, console).run(clock),
        Scheduler::dispose);
  }

  private Mono<Void> run(Scheduler clock) {
    return DemoHierarchy.inMemory()
        .subscribeOn(console.thread())
        .flatMap(
            store ->
                introduce(store).then(open(observed(store, clock))).flatMap(this::streamAndDraw));
  }

  private Store observed(Store store, Scheduler clock) {
    Store distant = new DelayedStore(store, settings.latency(), clock);
    return Stores.observed(Stores.observed(distant, traffic), states);
  }

  private static Mono<ZarrArray> open(Store store) {
    ZarrOptions options = ZarrOptions.defaults().withMaxConcurrency(CONCURRENCY);
    return Zarr.hierarchy(store, options).openArray(ARRAY);
  }

  /** Describes the hierarchy. */
  private Mono<Void> introduce(Store store) {
    boolean colour = settings.colours().isOn();
    return Zarr.hierarchy(store)
        .openGroup("")
        .flatMap(
            root -> {
              Flux<String> tree =
                  new Tree(console.terminal(), colour).lines("earth.zarr", root, Integer.MAX_VALUE);
              Mono<String> description =
                  root.openArray(ARRAY)
                      .map(array -> ArrayDescription.of("earth.zarr/" + ARRAY, array).text(colour));
              return Flux.concat(List.of(Mono.just(title(root)), tree, Mono.just(""), description))
                  .publishOn(console.thread())
                  .doOnNext(console.out()::println)
                  .then();
            });
  }

  private static String title(ZarrGroup root) {
    return attribute(root, "title")
        + ". Written by "
        + attribute(root, "writer")
        + ", read by zarr-reactive.\n";
  }

  private static String attribute(ZarrGroup group, String name) {
    return group.attributes().string(name).orElse("?");
  }

  /**
   * Streams and draws. The consumer asks for one chunk, takes its time, and asks for the next. The
   * screen shows the effect on the store.
   */
  private Mono<Void> streamAndDraw(ZarrArray array) {
    Picture picture = new Picture(array.shape());
    StreamView scene = new StreamView(array, picture, traffic, states, settings, console);
    Mono<Void> drawing =
        traffic
            .watch(array.chunks(Selection.all()))
            .concatMap(chunk -> Mono.delay(settings.delay(), console.thread()).thenReturn(chunk), 0)
            .doOnNext(scene::take)
            .then();
    return Mono.<Void>fromRunnable(scene::begin)
        .subscribeOn(console.thread())
        .then(
            Flux.interval(FRAME, console.thread())
                .onBackpressureDrop()
                .takeUntilOther(drawing)
                .publishOn(console.thread())
                .doOnNext(frame -> scene.refresh())
                .then())
        .then(Mono.<Void>fromRunnable(scene::end).subscribeOn(console.thread()))
        .doFinally(signal -> scene.leave())
        .then(Mono.justOrEmpty(settings.png()).flatMap(png -> writePng(picture, png)))
        .then(Mono.<Void>fromRunnable(scene::summary).subscribeOn(console.thread()));
  }

  private Mono<Void> writePng(Picture picture, Path png) {
    return OutputFile.write(
        png,
        console.thread(),
        out -> Mono.<Void>fromRunnable(() -> writePng(picture, out)).subscribeOn(console.thread()));
  }

  private static void writePng(Picture picture, Out out) {
    System.setProperty("java.awt.headless", "true");
    ImageIO.setUseCache(false);
    try {
      ImageIO.write(picture.image(), "png", out.stream());
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }
}
