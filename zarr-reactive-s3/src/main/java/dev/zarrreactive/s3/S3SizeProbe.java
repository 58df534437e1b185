package dev.zarrreactive.s3;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ObjectVersion;
import dev.zarrreactive.internal.transfer.ResponseErrors;
import dev.zarrreactive.internal.transfer.ValueSize;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/** Asks for the sizes of values with HEAD. */
final class S3SizeProbe {
  private final S3Requests requests;
  private final S3Settings settings;

  S3SizeProbe(S3Requests requests, S3Settings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  /** Returns the size of the value, of the required version; empty where it is missing. */
  Mono<ValueSize> size(StoreKey key, ReadCondition condition) {
    HeadObjectRequest request =
        HeadObjectRequest.builder()
            .bucket(settings.bucket())
            .key(settings.names().object(key))
            .versionId(id(condition))
            .requestPayer(settings.payer())
            .build();
    return requests
        .ask(request, S3AsyncClient::headObject)
        .map(answer -> size(key, answer))
        .onErrorResume(AwsServiceException.class, answer -> sizeless(key, condition, answer))
        .onErrorMap(e -> S3Errors.of(e, ObjectNames.at(key), settings.names().url(key)));
  }

  private ValueSize size(StoreKey key, HeadObjectResponse answer) {
    if (answer.contentLength() == null) {
      throw ResponseErrors.violation(
          key, settings.names().url(key), "does not tell how large the value is");
    }
    return new ValueSize(
        answer.contentLength(),
        settings.version(answer.eTag(), answer.versionId()).version(),
        answer.lastModified());
  }

  private Mono<ValueSize> sizeless(
      StoreKey key, ReadCondition condition, AwsServiceException answer) {
    return switch (answer.statusCode()) {
      case 401, 403 -> settings.forbiddenIsMissing() ? Mono.empty() : Mono.error(answer);
      case 404 -> confirmMissing(key, condition);
      default -> Mono.error(answer);
    };
  }

  /** Asks again with GET: only its body tells a missing value from a missing bucket. */
  private Mono<ValueSize> confirmMissing(StoreKey key, ReadCondition condition) {
    return requests
        .<ValueSize>read(
            settings.get(key, "bytes=0-0", null, null, null, id(condition)),
            (head, body) -> Mono.error(S3ResponseHead.of(key, settings, head).changed()))
        .onErrorResume(
            AwsServiceException.class,
            answer -> requests.saysMissing(answer) ? Mono.empty() : Mono.error(answer));
  }

  private static @Nullable String id(ReadCondition condition) {
    Version required = condition.required();
    return required == null ? null : ObjectVersion.of(required).id();
  }
}
