package dev.zarrreactive.internal.objects;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.ListEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Lists the keys below a prefix, page by page. */
public final class ObjectListing {
  private final ObjectNames names;
  private final Pages pages;

  /** A listing of one store. */
  public ObjectListing(ObjectNames names, Pages pages) {
    this.names = names;
    this.pages = pages;
  }

  /** Requests pages. */
  public interface Pages {
    /**
     * Requests one page. Errors are those of a store.
     *
     * @param delimiter null for all objects below the prefix
     * @param token null for the first page
     */
    Mono<ObjectPage> page(StorePrefix prefix, @Nullable String delimiter, @Nullable String token);
  }

  /** Returns all keys that begin with {@code prefix}. */
  public Flux<StoreKey> keys(StorePrefix prefix) {
    return values(prefix).map(ListEntry.Key::key);
  }

  /** Returns all values whose keys begin with {@code prefix}, with their sizes. */
  public Flux<ListEntry.Key> values(StorePrefix prefix) {
    return each(prefix, null, this::valuesOf);
  }

  /** Returns the keys and prefixes directly below {@code prefix}. */
  public Flux<ListEntry> entries(StorePrefix prefix) {
    return each(prefix, "/", this::entriesOf);
  }

  private List<ListEntry.Key> valuesOf(ObjectPage page) {
    List<ListEntry.Key> values = new ArrayList<>(page.objects().size());
    for (ObjectPage.Listed object : page.objects()) {
      StoreKey key = names.keyOf(object.name());
      if (key != null) {
        long size = object.size();
        values.add(
            new ListEntry.Key(key, size < 0 ? ListEntry.Key.UNKNOWN_SIZE : size)
                .modifiedAt(object.modified()));
      }
    }
    return values;
  }

  private List<ListEntry> entriesOf(ObjectPage page) {
    List<ListEntry> entries = new ArrayList<>(valuesOf(page));
    for (String below : page.prefixes()) {
      StorePrefix prefix = names.prefixOf(below);
      if (prefix != null) {
        entries.add(new ListEntry.Prefix(prefix));
      }
    }
    return entries;
  }

  private <T> Flux<T> each(
      StorePrefix prefix, @Nullable String delimiter, Function<ObjectPage, List<T>> entries) {
    return Flux.defer(
        () -> {
          Tokens tokens = new Tokens();
          return Flux.defer(
                  () ->
                      onDemand(
                          pages
                              .page(prefix, delimiter, tokens.next)
                              .doOnNext(page -> tokens.follow(page, prefix))
                              .map(entries)))
              .repeat(() -> tokens.next != null);
        });
  }

  /** Requests the page at the first demand. */
  private static <T> Flux<T> onDemand(Mono<List<T>> page) {
    Sinks.Empty<Void> demanded = Sinks.empty();
    return demanded
        .asMono()
        .then(page)
        .flatMapIterable(Function.identity())
        .doOnRequest(n -> demanded.tryEmitEmpty());
  }

  /**
   * The continuation tokens of one subscriber. It detects cycles of them, which would make the
   * listing endless: it remembers one token for twice as many pages each time (Brent's algorithm).
   */
  private final class Tokens {
    /** The token of the next page; null before the first page and after the last one. */
    @Nullable String next;

    private @Nullable String remembered;
    private long pages;
    private long pagesToGo = 1;

    void follow(ObjectPage page, StorePrefix prefix) {
      if (!page.isTruncated()) {
        next = null;
        return;
      }
      String token = page.next();
      if (token == null || token.isEmpty()) {
        throw broken(prefix, "is cut off: more keys follow, and no continuation token");
      }
      if (token.equals(next) || token.equals(remembered)) {
        throw broken(prefix, "has no end: a continuation token came again");
      }
      if (++pages == pagesToGo) {
        remembered = token;
        pages = 0;
        pagesToGo *= 2;
      }
      next = token;
    }

    private StoreException broken(StorePrefix prefix, String found) {
      return new StoreException(
          "the listing of " + names.url(prefix) + " " + found, ObjectNames.at(prefix));
    }
  }
}
