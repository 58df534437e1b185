package dev.zarrreactive.gcs;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.store.ListEntry;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Lists the keys below a prefix, page by page. */
final class GcsListing {
  /** A page has a thousand names of at most a kilobyte, with as much around each. */
  private static final int MOST_READ = 32 << 20;

  private final GcsRequests requests;
  private final GcsSettings settings;

  GcsListing(GcsRequests requests, GcsSettings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  /** Returns all keys that begin with {@code prefix}. */
  Flux<StoreKey> keys(StorePrefix prefix) {
    return values(prefix).map(ListEntry.Key::key);
  }

  /** Returns all values whose keys begin with {@code prefix}, with their sizes. */
  Flux<ListEntry.Key> values(StorePrefix prefix) {
    return pages(prefix, null, this::valuesOf);
  }

  /** Returns the keys and prefixes directly below {@code prefix}. */
  Flux<ListEntry> entries(StorePrefix prefix) {
    return pages(prefix, "/", this::entriesOf);
  }

  private List<ListEntry.Key> valuesOf(ListingPage page) {
    List<ListEntry.Key> values = new ArrayList<>(page.objects().size());
    for (ListingPage.Listed object : page.objects()) {
      StoreKey key = keyOf(object.name());
      if (key != null) {
        values.add(new ListEntry.Key(key, object.size()));
      }
    }
    return values;
  }

  private List<ListEntry> entriesOf(ListingPage page) {
    List<ListEntry> entries = new ArrayList<>(valuesOf(page));
    for (String below : page.prefixes()) {
      StorePrefix prefix = prefixOf(below);
      if (prefix != null) {
        entries.add(new ListEntry.Prefix(prefix));
      }
    }
    return entries;
  }

  /** Returns the key of an object; null where it is no value, such as the marker of a directory. */
  private @Nullable StoreKey keyOf(String object) {
    try {
      return StoreKey.of(object.substring(settings.prefix().length()));
    } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
      return null;
    }
  }

  private @Nullable StorePrefix prefixOf(String objects) {
    try {
      return StorePrefix.of(objects.substring(settings.prefix().length()));
    } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
      return null;
    }
  }

  /** Requests a page when one of its entries is demanded. */
  private <T> Flux<T> pages(
      StorePrefix prefix, @Nullable String delimiter, Function<ListingPage, List<T>> entries) {
    return Flux.defer(
        () -> {
          Tokens tokens = new Tokens();
          return Flux.defer(
                  () ->
                      onDemand(
                          page(prefix, delimiter, tokens.next)
                              .doOnNext(page -> tokens.follow(page, prefix))
                              .map(entries)))
              .repeat(() -> tokens.next != null);
        });
  }

  private static <T> Flux<T> onDemand(Mono<List<T>> page) {
    Sinks.Empty<Void> demanded = Sinks.empty();
    return demanded
        .asMono()
        .then(page)
        .flatMapIterable(Function.identity())
        .doOnRequest(n -> demanded.tryEmitEmpty());
  }

  /**
   * The tokens of the pages of one subscriber. A server that gives one again would make the listing
   * endless: one token is remembered for twice as many pages each time (Brent's algorithm).
   */
  private final class Tokens {
    /** The token of the next page; null before the first page and after the last one. */
    @Nullable String next;

    private @Nullable String remembered;
    private long pages;
    private long pagesToGo = 1;

    void follow(ListingPage page, StorePrefix prefix) {
      String token = page.isTruncated() ? page.next() : null;
      if (page.isTruncated() && (token == null || token.isEmpty())) {
        throw violation(prefix, "is cut off: more keys follow, and no token of them", null);
      }
      if (token != null && (token.equals(next) || token.equals(remembered))) {
        throw violation(prefix, "leads back to an earlier one: the listing has no end", null);
      }
      if (++pages == pagesToGo) {
        remembered = token;
        pages = 0;
        pagesToGo *= 2;
      }
      next = token;
    }
  }

  private Mono<ListingPage> page(
      StorePrefix prefix, @Nullable String delimiter, @Nullable String token) {
    String query =
        "list-type=2&prefix="
            + encoded(settings.objects(prefix))
            + (delimiter == null ? "" : "&delimiter=" + encoded(delimiter))
            + (token == null ? "" : "&continuation-token=" + encoded(token));
    GcsRequest request =
        GcsRequest.read(
            HttpMethod.GET,
            settings.bucket(query),
            GcsSettings.at(prefix),
            settings.shown(prefix),
            Map.of());
    return requests
        .ask(request, (response, body) -> collect(body, prefix))
        .map(body -> parsed(body, prefix))
        .onErrorMap(e -> requests.error(e, GcsSettings.at(prefix), settings.shown(prefix)));
  }

  private static String encoded(String text) {
    return Url.encode(text).replace("/", "%2F");
  }

  private Mono<byte[]> collect(Flux<ByteBuf> body, StorePrefix prefix) {
    return Mono.defer(
        () -> {
          ByteArrayOutputStream all = new ByteArrayOutputStream();
          return body.doOnNext(
                  part -> {
                    if (part.readableBytes() > MOST_READ - all.size()) {
                      throw violation(prefix, "is larger than " + MOST_READ + " bytes", null);
                    }
                    byte[] bytes = new byte[part.readableBytes()];
                    part.getBytes(part.readerIndex(), bytes);
                    all.writeBytes(bytes);
                  })
              .then(Mono.fromSupplier(all::toByteArray));
        });
  }

  private ListingPage parsed(byte[] body, StorePrefix prefix) {
    try {
      return ListingPage.parse(body);
    } catch (XMLStreamException e) {
      throw violation(prefix, "is no listing in XML: " + e.getMessage(), e);
    }
  }

  private StoreException violation(StorePrefix prefix, String found, @Nullable Exception cause) {
    String statement = "a page of the listing of " + settings.shown(prefix) + " " + found;
    Location at = GcsSettings.at(prefix);
    return cause == null
        ? new StoreException(statement, at)
        : new StoreException(statement, at, cause);
  }
}
