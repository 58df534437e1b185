package dev.zarrreactive.s3;

import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.StorePrefix;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/** What is below a prefix, page by page. */
final class Listing {
  private final Calls calls;
  private final S3Settings settings;

  Listing(Calls calls, S3Settings settings) {
    this.calls = calls;
    this.settings = settings;
  }

  /** All keys that begin with {@code prefix}. */
  Flux<StoreKey> keys(StorePrefix prefix) {
    return pages(prefix, null, page -> keysOf(page));
  }

  /** What is directly below {@code prefix}. */
  Flux<ListEntry> entries(StorePrefix prefix) {
    return pages(prefix, "/", page -> entriesOf(page));
  }

  private List<StoreKey> keysOf(ListObjectsV2Response page) {
    List<StoreKey> keys = new ArrayList<>(page.contents().size());
    for (S3Object object : page.contents()) {
      StoreKey key = keyOf(object.key());
      if (key != null) {
        keys.add(key);
      }
    }
    return keys;
  }

  private List<ListEntry> entriesOf(ListObjectsV2Response page) {
    List<ListEntry> entries = new ArrayList<>();
    keysOf(page).forEach(key -> entries.add(new ListEntry.Key(key)));
    for (CommonPrefix below : page.commonPrefixes()) {
      StorePrefix prefix = prefixOf(below.prefix());
      if (prefix != null) {
        entries.add(new ListEntry.Prefix(prefix));
      }
    }
    return entries;
  }

  /** Null for an object that is no value, such as the mark of a directory. */
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
          return Flux.defer(() -> whenDemanded(page(prefix, delimiter, next).map(entries)))
              .repeat(() -> next.page != null);
        });
  }

  /** Not asked for before something of it is wanted. */
  private static <T> Flux<T> whenDemanded(Mono<List<T>> page) {
    Sinks.Empty<Void> demanded = Sinks.empty();
    return demanded
        .asMono()
        .then(page)
        .flatMapIterable(Function.identity())
        .doOnRequest(n -> demanded.tryEmitEmpty());
  }

  private Mono<ListObjectsV2Response> page(
      StorePrefix prefix, @Nullable String delimiter, Next next) {
    ListObjectsV2Request request =
        ListObjectsV2Request.builder()
            .bucket(settings.bucket())
            .prefix(settings.objects(prefix))
            .delimiter(delimiter)
            .continuationToken(next.page)
            .requestPayer(settings.payer())
            .build();
    return calls
        .ask((client, watch) -> client.listObjectsV2(request))
        .doOnNext(
            page ->
                next.page =
                    Boolean.TRUE.equals(page.isTruncated()) ? page.nextContinuationToken() : null)
        .onErrorMap(e -> S3Errors.of(e, S3Settings.at(prefix), settings.url(prefix)));
  }

  /** Which page is next; of one subscriber. */
  private static final class Next {
    @Nullable String page;
  }
}
