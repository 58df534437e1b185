package dev.zarrreactive.internal.location;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.store.Adapters;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreAdapter;
import dev.zarrreactive.store.StoreAdapter.Opened;
import dev.zarrreactive.store.StoreAdapter.Pinned;
import dev.zarrreactive.store.StoreAdapter.Place;
import dev.zarrreactive.store.StoreAdapter.Segment;
import dev.zarrreactive.store.StoreAdapter.StoredFile;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A URL pipeline: a location, and adapters of what lies there, outer to inner, with {@code |}
 * between them. {@code s3://bucket/x.zip|zip:inside|zarr3:} is one.
 *
 * @param root the location, a URL or a path of this system
 * @param adapters at least one, but for a pipeline of a format alone
 * @param format 2 or 3 where the last segment names the format of Zarr; null otherwise
 * @param node the path that the format's segment has; empty without one
 */
public record Pipeline(String root, List<Segment> adapters, @Nullable Integer format, String node) {
  private static final Pattern SEGMENT =
      Pattern.compile("(?s)([A-Za-z][A-Za-z0-9+.-]*)(?::([^?]*)(?:\\?(.*))?)?");

  private static final Pattern FORMAT = Pattern.compile("zarr([23])");

  /** Returns true for the text of a pipeline, right or wrong: no URL has a {@code |}. */
  public static boolean isOne(String location) {
    return location.indexOf('|') >= 0;
  }

  /**
   * Parses a pipeline, or a location alone. Blanks around a {@code |} mean nothing.
   *
   * @throws IllegalArgumentException for a segment that is none; the message shows no secret
   */
  public static Pipeline parse(String location) {
    String[] parts = location.split("\\|", -1);
    String root = parts.length == 1 ? location : parts[0].strip();
    if (root.isEmpty() && parts.length > 1) {
      throw new IllegalArgumentException("a pipeline begins with the location of a store");
    }
    List<Segment> adapters = new ArrayList<>();
    for (int i = 1; i < parts.length; i++) {
      Segment segment = segment(parts[i].strip(), i);
      Matcher format = FORMAT.matcher(segment.scheme());
      if (!format.matches()) {
        adapters.add(segment);
      } else if (i == parts.length - 1) {
        return new Pipeline(root, adapters, Integer.valueOf(format.group(1)), segment.path());
      } else {
        throw new IllegalArgumentException(
            "|" + segment.scheme() + ": names the format of a node, and ends a pipeline");
      }
    }
    return new Pipeline(root, adapters, null, "");
  }

  private static Segment segment(String text, int number) {
    Matcher parts = SEGMENT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "no adapter behind the | with the number "
              + number
              + ": it is a scheme, a colon and a path, such as |zip:inside; a | that belongs to a"
              + " path is written as %7C in a URL");
    }
    String body = parts.group(2) == null ? "" : parts.group(2);
    return new Segment(parts.group(1).toLowerCase(Locale.ROOT), body, parts.group(3));
  }

  /**
   * Emits the location with the adapter that an option names, or as it is: a location without a
   * segment, and with an option that one adapter takes, is a pipeline.
   */
  public static Mono<String> named(String location, StoreOptions options) {
    return isOne(location) || options.names().isEmpty()
        ? Mono.just(location)
        : Adapters.namedBy(options.names())
            .map(adapter -> location + "|" + adapter.scheme() + ":")
            .defaultIfEmpty(location);
  }

  /** Returns this pipeline with another location at its beginning. */
  public Pipeline at(String location) {
    return new Pipeline(location, adapters, format, node);
  }

  /** Returns the last adapter; null where there is none. */
  public @Nullable Segment last() {
    return adapters.isEmpty() ? null : adapters.get(adapters.size() - 1);
  }

  /** Returns the pipeline of what the last adapter opens. */
  public Pipeline withoutLast() {
    return new Pipeline(root, adapters.subList(0, adapters.size() - 1), null, "");
  }

  /** Returns this pipeline with another segment at its end. */
  public Pipeline with(Segment segment) {
    List<Segment> more = new ArrayList<>(adapters);
    more.add(segment);
    return new Pipeline(root, more, format, node);
  }

  /**
   * Opens the innermost store; each subscription opens one of its own, which the subscriber closes,
   * and the stores around it with it. Whatever was opened is closed where a segment fails, and at a
   * cancel.
   */
  public Mono<Opened> open(StoreOptions options) {
    return Flux.fromIterable(adapters)
        .concatMap(segment -> Adapters.find(segment.scheme()))
        .collectList()
        .flatMap(found -> open(found, options));
  }

  /**
   * A location that leads to the same version each time.
   *
   * @param location a pipeline, or any other location as it was
   */
  public record PinnedLocation(String location, StoreOptions options) {}

  /**
   * Emits the location with the versions that its segments lead to now, as {@link StoreAdapter#pin}
   * finds them. Whatever is opened for that is closed.
   */
  public static Mono<PinnedLocation> pin(String location, StoreOptions options) {
    return named(location, options)
        .flatMap(
            text ->
                isOne(text)
                    ? parse(text).pinned(text, options)
                    : Mono.just(new PinnedLocation(text, options)));
  }

  private Mono<PinnedLocation> pinned(String text, StoreOptions options) {
    return Flux.fromIterable(adapters)
        .concatMap(segment -> Adapters.find(segment.scheme()))
        .collectList()
        .flatMap(
            found ->
                Mono.usingWhen(
                    Mono.fromSupplier(Around::new),
                    stores ->
                        pin(
                            0,
                            found,
                            () -> stores.around(root(found, options)),
                            new PinnedLocation(text, options),
                            stores),
                    Around::close));
  }

  /** Pins the segment with a number, and those behind it in what it opens. */
  private Mono<PinnedLocation> pin(
      int number,
      List<StoreAdapter> found,
      Supplier<Place> places,
      PinnedLocation before,
      Around stores) {
    if (number == found.size()) {
      return Mono.just(before);
    }
    StoreAdapter adapter = found.get(number);
    return adapter
        .pin(places.get(), adapters.get(number), optionsOf(adapter, before.options()))
        .flatMap(
            pinned -> {
              PinnedLocation next = with(number, adapter, pinned, before);
              if (number == found.size() - 1) {
                return Mono.just(next);
              }
              return adapter
                  .open(places.get(), pinned.segment(), pinned.options())
                  .doOnNext(opened -> stores.add(opened.store()))
                  .flatMap(
                      outer ->
                          pin(
                              number + 1,
                              found,
                              () -> new InnerPlace(outer, places.get().toString()),
                              next,
                              stores));
            });
  }

  private PinnedLocation with(
      int number, StoreAdapter adapter, Pinned pinned, PinnedLocation before) {
    String[] parts = before.location().split("\\|", -1);
    Segment segment = pinned.segment();
    if (!segment.equals(adapters.get(number))) {
      parts[number + 1] =
          segment.scheme()
              + ":"
              + segment.body()
              + (segment.query() == null ? "" : "?" + segment.query());
    }
    StoreOptions options = before.options();
    for (String name : before.options().names()) {
      options = adapter.takes(name) ? options.without(name) : options;
    }
    for (String name : pinned.options().names()) {
      options = options.with(name, pinned.options().text(name));
    }
    return new PinnedLocation(String.join("|", parts), options);
  }

  private Place root(List<StoreAdapter> found, StoreOptions options) {
    StoreOptions ofRoot = options;
    for (String name : options.names()) {
      if (found.stream().anyMatch(adapter -> adapter.takes(name))) {
        ofRoot = ofRoot.without(name);
      }
    }
    return new UrlPlace(Stores.uri(this.root), ofRoot);
  }

  private Mono<Opened> open(List<StoreAdapter> found, StoreOptions options) {
    Place root = root(found, options);
    return keeping(
        stores -> {
          Place place = stores.around(root);
          if (found.isEmpty()) {
            return place.directory().map(store -> new Opened(store, node));
          }
          Mono<Opened> opened = open(0, found, place, options, stores);
          for (int i = 1; i < found.size(); i++) {
            int next = i;
            opened =
                opened.flatMap(
                    outer ->
                        open(next, found, new InnerPlace(outer, root.toString()), options, stores));
          }
          return opened.map(last -> new Opened(last.store(), below(last.path(), node)));
        });
  }

  /** Opens the segment with a number, and notes its store. */
  private Mono<Opened> open(
      int number, List<StoreAdapter> found, Place place, StoreOptions options, Around stores) {
    StoreAdapter adapter = found.get(number);
    return adapter
        .open(place, adapters.get(number), optionsOf(adapter, options))
        .doOnNext(opened -> stores.add(opened.store()));
  }

  private static StoreOptions optionsOf(StoreAdapter adapter, StoreOptions options) {
    StoreOptions own = options;
    for (String name : options.names()) {
      own = adapter.takes(name) ? own : own.without(name);
    }
    return own;
  }

  private static String below(String path, String node) {
    return path.isEmpty() || node.isEmpty() ? path + node : path + "/" + node;
  }

  /**
   * Opens a value of {@code above} with an adapter. The store that is emitted closes {@code above},
   * too; otherwise it stays open.
   */
  public static Mono<Store> openFile(
      StoreAdapter adapter, Store above, StoreKey file, StoreOptions options) {
    Place place = new InnerPlace(new Opened(above, file.value()), file.value());
    return adapter
        .open(place, new Segment(adapter.scheme(), "", null), optionsOf(adapter, options))
        .map(opened -> Adapters.closing(opened.store(), above.close()));
  }

  /** Returns the place that a URL, or a path of this system, leads to; nothing is opened yet. */
  public static Place place(URI location, StoreOptions options) {
    return new UrlPlace(location, options);
  }

  /** Returns the last part of a URL's path; empty where it ends with a slash. */
  public static String name(URI location) {
    String path = location.getPath();
    return path == null ? "" : path.substring(path.lastIndexOf('/') + 1);
  }

  private static Mono<Opened> keeping(Function<Around, Mono<Opened>> work) {
    return Mono.usingWhen(
        Mono.fromSupplier(Around::new),
        stores ->
            work.apply(stores)
                .map(opened -> new Opened(stores.innermost(opened.store()), opened.path())),
        kept -> Mono.empty(),
        (stores, error) -> stores.close(),
        Around::close);
  }

  /** The stores that one opening has opened, outer to inner. One thread at a time uses it. */
  private static final class Around {
    private final List<Store> opened = new ArrayList<>();

    synchronized void add(Store store) {
      opened.add(store);
    }

    /** Returns a place that notes what it opens. */
    Place around(Place place) {
      return new Place() {
        @Override
        public Mono<Store> directory() {
          return place.directory().doOnNext(Around.this::add);
        }

        @Override
        public Mono<StoredFile> file() {
          return place.file().doOnNext(file -> add(file.store()));
        }

        @Override
        public String toString() {
          return place.toString();
        }
      };
    }

    synchronized Store innermost(Store store) {
      List<Store> others = new ArrayList<>(opened);
      others.removeIf(each -> each == store);
      return others.isEmpty() ? store : Adapters.closing(store, Pipeline.close(others));
    }

    synchronized Mono<Void> close() {
      return Pipeline.close(opened);
    }
  }

  /** A place in a store that a segment has opened. */
  private record InnerPlace(Opened outer, String name) implements Place {
    @Override
    public Mono<Store> directory() {
      return Mono.fromSupplier(() -> directoryOf(outer));
    }

    @Override
    public Mono<StoredFile> file() {
      return Mono.fromSupplier(
          () -> {
            if (outer.path().isEmpty()) {
              throw new IllegalArgumentException(
                  "the pipeline names no file in " + name + "; write its path behind the colon");
            }
            return new StoredFile(outer.store(), StoreKey.of(outer.path()));
          });
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** Returns the store whose root is the path that was opened. */
  public static Store directoryOf(Opened opened) {
    return opened.path().isEmpty()
        ? opened.store()
        : Stores.prefixed(opened.store(), StorePrefix.of(opened.path() + "/"));
  }

  /** Closes stores, inner to outer. */
  private static Mono<Void> close(List<Store> stores) {
    return Flux.range(1, stores.size())
        .concatMap(i -> stores.get(stores.size() - i).close(), 0)
        .then();
  }
}
