package dev.zarrreactive.s3;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.ListEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Lists the keys below a prefix, page by page. */
final class BucketListing {
  private final S3Requests requests;
  private final S3Settings settings;

  BucketListing(S3Requests requests, S3Settings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  /** Returns all keys that begin with {@code prefix}. */
  Flux<StoreKey> keys(StorePrefix prefix) {
    return values(prefix).map(ListEntry.Key::key);
  }

  /** Returns all values whose keys begin with {@code prefix}, with their sizes. */
  Flux<ListEntry.Key> values(StorePrefix prefix) {
    return pages(prefix, null, page -> valuesOf(page));
  }

  /** Returns the keys and prefixes directly below {@code prefix}. */
  Flux<ListEntry> entries(StorePrefix prefix) {
    return pages(prefix, "/", page -> entriesOf(page));
  }

  private List<ListEntry.Key> valuesOf(ListObjectsV2Response page) {
    List<ListEntry.Key> values = new ArrayList<>(page.contents().size());
    for (S3Object object : page.contents()) {
      StoreKey key = keyOf(object.key());
      if (key != null) {
        Long size = object.size();
        values.add(new ListEntry.Key(key, size == null ? ListEntry.Key.UNKNOWN_SIZE : size));
      }
    }
    return values;
  }

  private List<ListEntry> entriesOf(ListObjectsV2Response page) {
    List<ListEntry> entries = new ArrayList<>(valuesOf(page));
    for (CommonPrefix below : page.commonPrefixes()) {
      StorePrefix prefix = prefixOf(below.prefix());
      if (prefix != null) {
        entries.add(new ListEntry.Prefix(prefix));
      }
    }
    return entries;
  }

  /** Returns true where the server may have replaced characters that XML cannot express. */
  static boolean isDoubtful(StoreKey key) {
    return key.value().indexOf('\uFFFD') >= 0;
  }

  /** Returns the key of an object; null where it is no value, such as the marker of a directory. */
  private @Nullable StoreKey keyOf(String object) {
    try {
      return StoreKey.of(object.substring(settings.prefix().length()));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private @Nullable StorePrefix prefixOf(String objects) {
    try {
      return StorePrefix.of(objects.substring(settings.prefix().length()));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private <T> Flux<T> pages(
      StorePrefix prefix,
      @Nullable String delimiter,
      Function<ListObjectsV2Response, List<T>> entries) {
    return Flux.defer(
        () -> {
          Next next = new Next();
          return Flux.defer(() -> onDemand(page(prefix, delimiter, next).map(entries)))
              .repeat(() -> next.page != null);
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

  /** Ceph encodes keys and not the prefix that it repeats; with a lone % that is no encoding. */
  private Mono<ListObjectsV2Response> page(
      StorePrefix prefix, @Nullable String delimiter, Next next) {
    ListObjectsV2Request.Builder request =
        ListObjectsV2Request.builder()
            .bucket(settings.bucket())
            .prefix(settings.objects(prefix))
            .delimiter(delimiter)
            .continuationToken(next.page)
            .requestPayer(settings.payer());
    ListObjectsV2Request plain = request.build();
    ListObjectsV2Request encoded = request.encodingType(EncodingType.URL).build();
    return requests
        .ask(encoded, S3AsyncClient::listObjectsV2)
        .onErrorResume(
            e -> String.valueOf(e.getMessage()).contains("URLDecoder"),
            e -> requests.ask(plain, S3AsyncClient::listObjectsV2))
        .doOnNext(page -> next.follow(page, settings.url(prefix), S3Settings.at(prefix)))
        .onErrorMap(e -> S3Errors.of(e, S3Settings.at(prefix), settings.url(prefix)));
  }

  /**
   * The next page of one subscriber. It detects cycles of continuation tokens, which would make the
   * listing endless: it remembers one token for twice as many pages each time (Brent's algorithm).
   */
  private static final class Next {
    @Nullable String page;
    private @Nullable String remembered;
    private long pages;
    private long pagesToGo = 1;

    void follow(ListObjectsV2Response answer, String url, Location at) {
      String token = answer.nextContinuationToken();
      if (!Boolean.TRUE.equals(answer.isTruncated())) {
        page = null;
        return;
      }
      if (token == null || token.isEmpty()) {
        throw new StoreException(
            "the listing of " + url + " is cut off: more keys follow, and no continuation token",
            at);
      }
      if (token.equals(page) || token.equals(remembered)) {
        throw new StoreException(
            "the listing of " + url + " has no end: a continuation token came again", at);
      }
      if (++pages == pagesToGo) {
        remembered = token;
        pages = 0;
        pagesToGo *= 2;
      }
      page = token;
    }
  }
}
