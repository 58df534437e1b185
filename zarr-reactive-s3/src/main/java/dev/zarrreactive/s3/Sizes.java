package dev.zarrreactive.s3;

import dev.zarrreactive.internal.transfer.BodyHead;
import dev.zarrreactive.internal.transfer.Refusal;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.Version;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/** How large values are, by HEAD. */
final class Sizes {
  private final Calls calls;
  private final S3Settings settings;

  Sizes(Calls calls, S3Settings settings) {
    this.calls = calls;
    this.settings = settings;
  }

  /** The size of the value at {@code key}, of the version wanted; empty where there is none. */
  Mono<Size> of(StoreKey key, ReadCondition condition) {
    HeadObjectRequest request =
        HeadObjectRequest.builder()
            .bucket(settings.bucket())
            .key(settings.object(key))
            .versionId(id(condition))
            .requestPayer(settings.payer())
            .build();
    return calls
        .ask(request, S3AsyncClient::headObject)
        .map(answer -> size(key, answer))
        .onErrorResume(AwsServiceException.class, answer -> without(key, condition, answer))
        .onErrorMap(e -> S3Errors.of(e, S3Settings.at(key), settings.url(key)));
  }

  private Size size(StoreKey key, HeadObjectResponse answer) {
    if (answer.contentLength() == null) {
      throw Refusal.violation(key, settings.url(key), "does not tell how large the value is");
    }
    return new Size(answer.contentLength(), settings.tag(answer.eTag(), answer.versionId()));
  }

  private Mono<Size> without(StoreKey key, ReadCondition condition, AwsServiceException answer) {
    return switch (answer.statusCode()) {
      case 401, 403 -> settings.forbiddenIsMissing() ? Mono.empty() : Mono.error(answer);
      case 404 -> confirmed(key, condition);
      default -> Mono.error(answer);
    };
  }

  /**
   * An answer to HEAD has no body, which would say whether the value or the bucket is missing; one
   * to GET has.
   */
  private Mono<Size> confirmed(StoreKey key, ReadCondition condition) {
    GetObjectRequest request =
        GetObjectRequest.builder()
            .bucket(settings.bucket())
            .key(settings.object(key))
            .versionId(id(condition))
            .range("bytes=0-0")
            .requestPayer(settings.payer())
            .build();
    return calls
        .<Size>read(request, (head, body) -> Mono.error(BodyHead.changed(key, settings.url(key))))
        .onErrorResume(
            AwsServiceException.class,
            answer -> {
              return calls.saysMissing(answer) ? Mono.empty() : Mono.error(answer);
            });
  }

  private static @Nullable String id(ReadCondition condition) {
    Version required = condition.required();
    return required == null ? null : Tag.of(required).id();
  }
}
