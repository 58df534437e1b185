package dev.zarrreactive.s3;

import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.Version;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** Writes values: in one request, or where they are large in several. */
final class Writing {
  private final Calls calls;
  private final S3Settings settings;
  private final Multipart multipart;

  Writing(Calls calls, S3Settings settings) {
    this.calls = calls;
    this.settings = settings;
    this.multipart = new Multipart(calls, settings);
  }

  /** Sets the value, where the precondition holds. */
  Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    String ifNoneMatch = precondition == Precondition.ABSENT ? "*" : null;
    Version version = precondition.version();
    String etag = version == null ? null : Tag.of(version).strong();
    if (version != null && etag == null) {
      return Mono.error(() -> failed(key, precondition, "a version without a strong ETag"));
    }
    String ifMatch = settings.asSent(etag);
    Mono<Void> written =
        value.size() > settings.multipartThreshold()
            ? multipart.upload(key, value, ifMatch, ifNoneMatch)
            : put(key, value, ifMatch, ifNoneMatch);
    return written
        .onErrorMap(
            e -> e instanceof AwsServiceException answer && fails(precondition, answer),
            e -> failed(key, precondition, S3Errors.shown((AwsServiceException) e)))
        .onErrorMap(e -> S3Errors.of(e, S3Settings.at(key), settings.url(key)));
  }

  private Mono<Void> put(
      StoreKey key, Bytes value, @Nullable String ifMatch, @Nullable String ifNoneMatch) {
    PutObjectRequest request =
        PutObjectRequest.builder()
            .bucket(settings.bucket())
            .key(settings.object(key))
            .contentLength((long) value.size())
            .ifMatch(ifMatch)
            .ifNoneMatch(ifNoneMatch)
            .requestPayer(settings.payer())
            .build();
    return calls.ask((client, watch) -> client.putObject(request, Sending.of(value, watch))).then();
  }

  /** 409 says that somebody else writes at the same time; 404 that there is nothing to replace. */
  private static boolean fails(Precondition precondition, AwsServiceException answer) {
    return switch (answer.statusCode()) {
      case 412, 409 -> precondition != Precondition.NONE;
      case 404 -> precondition.version() != null && S3Errors.code(answer).equals("NoSuchKey");
      default -> false;
    };
  }

  private static PreconditionFailedException failed(
      StoreKey key, Precondition precondition, String found) {
    Version version = precondition.version();
    return new PreconditionFailedException(
        (version == null
                ? "wanted to create the value"
                : "wanted to change version " + version + " of the value")
            + "; the answer is "
            + found,
        S3Settings.at(key));
  }
}
