package dev.zarrreactive.s3;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ObjectVersion;
import dev.zarrreactive.internal.s3.http.S3Threads;
import dev.zarrreactive.store.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;

/** Erases values, one or a batch with each request. */
final class ValueEraser {
  private static final int BATCH = 1000;
  private static final int BATCHES_AT_A_TIME = 4;
  private static final int SINGLES_AT_A_TIME = 64;

  /** The time that a batch with room waits for more keys. */
  private static final Duration WAIT = Duration.ofMillis(10);

  private final S3Requests requests;
  private final S3Settings settings;

  /** True after the first refusal of a server without batches. */
  private volatile boolean refusesBatches;

  ValueEraser(S3Requests requests, S3Settings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  /** Erases the value, of any version. */
  Mono<Void> erase(StoreKey key) {
    return delete(key, null)
        .onErrorMap(e -> S3Errors.of(e, ObjectNames.at(key), settings.names().url(key)));
  }

  /** Erases the value, where it has this version. */
  Mono<Void> erase(StoreKey key, Version version) {
    String etag = ObjectVersion.of(version).strong();
    if (etag == null) {
      return Mono.error(() -> failed(key, version, "it has no strong ETag"));
    }
    return delete(key, etag)
        .onErrorMap(
            e ->
                e instanceof AwsServiceException answer
                    && (answer.statusCode() == 412 || answer.statusCode() == 409),
            e -> failed(key, version, "the answer is " + S3Errors.shown((AwsServiceException) e)))
        .onErrorMap(e -> S3Errors.of(e, ObjectNames.at(key), settings.names().url(key)));
  }

  /** Erases the values at the keys as they arrive; demands at most a batch of keys at a time. */
  Mono<Void> erase(Publisher<StoreKey> keys) {
    Flux<List<StoreKey>> batches =
        Flux.from(keys).limitRate(BATCH).bufferTimeout(BATCH, WAIT, S3Threads.timer(), true);
    return Concurrently.map(batches, BATCHES_AT_A_TIME, this::batch).then();
  }

  private Mono<Void> batch(List<StoreKey> keys) {
    List<StoreKey> named = new ArrayList<>();
    List<StoreKey> single = new ArrayList<>();
    for (StoreKey key : new LinkedHashSet<>(keys)) {
      (isText(settings.names().object(key)) ? named : single).add(key);
    }
    if (refusesBatches || named.size() == 1) {
      single.addAll(named);
      named.clear();
    }
    return named.isEmpty() ? singly(single) : together(named).then(singly(single));
  }

  private Mono<Void> singly(List<StoreKey> keys) {
    return Concurrently.map(Flux.fromIterable(keys), SINGLES_AT_A_TIME, key -> erase(key)).then();
  }

  private Mono<Void> together(List<StoreKey> keys) {
    List<ObjectIdentifier> objects = new ArrayList<>(keys.size());
    keys.forEach(
        key -> objects.add(ObjectIdentifier.builder().key(settings.names().object(key)).build()));
    DeleteObjectsRequest request =
        DeleteObjectsRequest.builder()
            .bucket(settings.bucket())
            .delete(Delete.builder().objects(objects).quiet(true).build())
            .requestPayer(settings.payer())
            .build();
    StoreKey first = keys.get(0);
    return requests
        .ask(request, S3AsyncClient::deleteObjects)
        .doOnNext(answer -> check(answer, keys))
        .then()
        .onErrorResume(
            e -> e instanceof AwsServiceException answer && refuses(answer),
            e -> {
              refusesBatches = true;
              return singly(keys);
            })
        .onErrorMap(e -> S3Errors.of(e, ObjectNames.at(first), settings.names().url(first)));
  }

  /** Returns true where the server does not know the request. */
  private static boolean refuses(AwsServiceException answer) {
    return switch (answer.statusCode()) {
      case 405, 501 -> true;
      case 400 -> S3Errors.code(answer).matches("|NotImplemented|MalformedXML|MissingContentMD5");
      default -> false;
    };
  }

  private void check(DeleteObjectsResponse answer, List<StoreKey> keys) {
    for (S3Error error : answer.errors()) {
      String code = error.code() == null ? "an error without a code" : error.code();
      if (!code.equals("NoSuchKey")) {
        StoreKey key =
            keys.stream()
                .filter(each -> settings.names().object(each).equals(error.key()))
                .findFirst()
                .orElse(keys.get(0)); // the server names another key
        throw S3Errors.failed(code, ObjectNames.at(key), settings.names().url(key));
      }
    }
  }

  private Mono<Void> delete(StoreKey key, @Nullable String etag) {
    DeleteObjectRequest request =
        DeleteObjectRequest.builder()
            .bucket(settings.bucket())
            .key(settings.names().object(key))
            .ifMatch(settings.asSent(etag))
            .requestPayer(settings.payer())
            .build();
    return requests
        .ask(request, S3AsyncClient::deleteObject)
        .then()
        .onErrorResume(
            e -> e instanceof AwsServiceException answer && requests.saysMissing(answer),
            e -> Mono.empty());
  }

  /** Returns true for a name that XML 1.0, the format of a batch, can express. */
  private static boolean isText(String object) {
    return object
        .codePoints()
        .allMatch(c -> c >= 0x20 && (c < 0xD800 || c > 0xDFFF) && c != 0xFFFE && c != 0xFFFF);
  }

  private static PreconditionFailedException failed(StoreKey key, Version version, String found) {
    return new PreconditionFailedException(
        "wanted to erase version " + version + " of the value, and " + found, ObjectNames.at(key));
  }
}
