package dev.zarrreactive.s3;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.internal.s3.http.StallWatch;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/**
 * Writes values: small ones with one PUT, large ones in parts. A conditional write is one PUT of
 * any size, unless the server checks the condition at the end of an upload in parts. A value has
 * less than 2 GiB, and a PUT may have 5.
 */
final class ValueWriter {
  /**
   * The size above which a conditional write sends {@code Expect: 100-continue}. A server that
   * refuses the condition at once closes the connection under the body, and the reset may overtake
   * its response. Up to 256 KiB servers read the rest of a body first.
   */
  private static final int EXPECT_CONTINUE_ABOVE = 256 << 10;

  private final S3Requests requests;
  private final S3Settings settings;
  private final MultipartUpload multipart;
  private final S3SizeProbe sizes;

  ValueWriter(S3Requests requests, S3Settings settings) {
    this.requests = requests;
    this.settings = settings;
    this.multipart = new MultipartUpload(requests, settings);
    this.sizes = new S3SizeProbe(requests, settings);
  }

  /** Writes the value, where the precondition holds. */
  Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return conditional(
        key,
        precondition,
        (ifMatch, ifNoneMatch) ->
            mayBeInParts(precondition) && value.size() > settings.multipartThreshold()
                ? multipart.upload(
                    key, ValuePart.of(value, settings.partSize()), ifMatch, ifNoneMatch)
                : put(key, List.of(value), precondition, ifMatch, ifNoneMatch));
  }

  /** Returns true if the value may be written in parts. */
  boolean mayBeInParts(Precondition precondition) {
    return precondition.equals(Precondition.NONE) || settings.conditionalMultipart();
  }

  /**
   * Writes a value that arrives in pieces: with one PUT if it is no larger than one part, else in
   * parts. Holds the parts in flight and the one that is being filled.
   */
  Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    Flux<ValuePart> parts =
        ValuePart.of(Flux.from(pieces).onErrorMap(SourceError::new), settings.partSize());
    return conditional(
            key,
            precondition,
            (ifMatch, ifNoneMatch) ->
                parts
                    .switchOnFirst(
                        (signal, all) -> {
                          ValuePart first = signal.get();
                          return first != null && first.isLast()
                              ? put(key, first.pieces(), precondition, ifMatch, ifNoneMatch)
                              : multipart.upload(key, all, ifMatch, ifNoneMatch);
                        })
                    .then())
        .onErrorMap(SourceError.class, SourceError::getCause);
  }

  /** An error of the source of the pieces, which is not an error of the client. */
  private static final class SourceError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SourceError(Throwable cause) {
      super(null, cause, false, false);
    }
  }

  private interface Write {
    Mono<Void> on(@Nullable String ifMatch, @Nullable String ifNoneMatch);
  }

  private Mono<Void> conditional(StoreKey key, Precondition precondition, Write write) {
    String ifNoneMatch = precondition.equals(Precondition.ABSENT) ? "*" : null;
    Version version = precondition.version();
    String etag = version == null ? null : ObjectVersion.of(version).strong();
    if (version != null && etag == null) {
      return Mono.error(() -> failed(key, precondition, "a version without a strong ETag"));
    }
    return write
        .on(settings.asSent(etag), ifNoneMatch)
        .onErrorMap(
            e -> e instanceof AwsServiceException answer && fails(precondition, answer),
            e -> failed(key, precondition, S3Errors.shown((AwsServiceException) e)))
        .onErrorMap(
            e -> !(e instanceof SourceError),
            e -> S3Errors.of(e, S3Settings.at(key), settings.url(key)));
  }

  private Mono<Void> put(
      StoreKey key,
      List<Bytes> value,
      Precondition precondition,
      @Nullable String ifMatch,
      @Nullable String ifNoneMatch) {
    AtomicReference<@Nullable StallWatch> sending = new AtomicReference<>();
    PutObjectRequest.Builder request =
        PutObjectRequest.builder()
            .bucket(settings.bucket())
            .key(settings.object(key))
            .contentLength(ValueBody.size(value))
            .ifMatch(ifMatch)
            .ifNoneMatch(ifNoneMatch)
            .requestPayer(settings.payer());
    boolean mayBeRefused = ifMatch != null || ifNoneMatch != null;
    if (mayBeRefused
        && settings.expectContinue()
        && ValueBody.size(value) > EXPECT_CONTINUE_ABOVE) {
      request.overrideConfiguration(all -> all.putHeader("Expect", "100-continue"));
    }
    return requests
        .send(
            request.build(),
            (client, sent, watch) -> {
              sending.set(watch);
              return client.putObject(sent, ValueBody.of(value, watch));
            })
        .then()
        .onErrorResume(
            e -> mayBeRefused && S3Errors.saysClosed(e) && isPartlySent(sending.get()),
            e -> checkStored(key, precondition).then(Mono.error(e)));
  }

  private static boolean isPartlySent(@Nullable StallWatch watch) {
    return watch != null && watch.isPartlySent();
  }

  /**
   * Fails where the precondition does not hold for the stored value. A server that refuses a
   * condition may close the connection under the body, and the response is lost. The server cannot
   * have stored that body, so that the stored value decides.
   */
  private Mono<Void> checkStored(StoreKey key, Precondition precondition) {
    Version version = precondition.version();
    String wanted = version == null ? null : ObjectVersion.of(version).strong();
    return sizes
        .size(key, ReadCondition.ALWAYS)
        .map(found -> strongTag(found.version()))
        .defaultIfEmpty("")
        .flatMap(
            found ->
                found.equals(wanted == null ? "" : wanted)
                    ? Mono.empty()
                    : Mono.error(
                        () ->
                            failed(
                                key,
                                precondition,
                                "a closed connection, and the stored version is "
                                    + (found.isEmpty() ? "none" : found))));
  }

  private static String strongTag(@Nullable Version version) {
    String tag = version == null ? null : ObjectVersion.of(version).strong();
    return tag == null ? "unknown" : tag;
  }

  /**
   * Returns true for the answer that the precondition does not hold. 409 means a concurrent write,
   * 404 a missing value. The end of an upload in parts may say so in the body of a 200.
   */
  private static boolean fails(Precondition precondition, AwsServiceException answer) {
    return switch (answer.statusCode()) {
      case 412, 409 -> !precondition.equals(Precondition.NONE);
      case 404 -> precondition.version() != null && S3Errors.code(answer).equals("NoSuchKey");
      case 200 ->
          !precondition.equals(Precondition.NONE)
              && S3Errors.code(answer).matches("PreconditionFailed|ConditionalRequestConflict");
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
