package dev.zarrreactive.s3;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ObjectVersion;
import dev.zarrreactive.internal.objects.ObjectWriter;
import dev.zarrreactive.internal.objects.PartedUpload;
import dev.zarrreactive.internal.objects.ValuePart;
import dev.zarrreactive.internal.objects.WriteCondition;
import dev.zarrreactive.internal.s3.http.StallWatch;
import dev.zarrreactive.store.Version;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** The requests of a write. A value has less than 2 GiB, and a PUT may have 5. */
final class ValueWriter implements ObjectWriter.Requests {
  /**
   * The size above which a conditional write sends {@code Expect: 100-continue}. A server that
   * refuses the condition at once closes the connection under the body, and the reset may overtake
   * its response. Up to 256 KiB servers read the rest of a body first.
   */
  private static final int EXPECT_CONTINUE_ABOVE = 256 << 10;

  private final S3Requests requests;
  private final S3Settings settings;
  private final PartedUpload<String, CompletedPart> multipart;

  ValueWriter(S3Requests requests, S3Settings settings) {
    this.requests = requests;
    this.settings = settings;
    this.multipart = new PartedUpload<>(new MultipartUpload(requests, settings));
  }

  @Override
  public Mono<Void> upload(StoreKey key, Publisher<ValuePart> parts, WriteCondition condition) {
    return multipart.upload(key, parts, condition);
  }

  @Override
  public @Nullable String tag(Version version) {
    return settings.asSent(ObjectVersion.of(version).strong());
  }

  @Override
  public String tagName() {
    return "a strong ETag";
  }

  @Override
  public @Nullable String refusal(WriteCondition condition, Throwable error) {
    return error instanceof AwsServiceException answer && fails(condition, answer)
        ? S3Errors.shown(answer)
        : null;
  }

  @Override
  public Throwable located(StoreKey key, Throwable error) {
    Throwable cause = error.getCause();
    return S3Errors.of(
        error instanceof PartlySent && cause != null ? cause : error,
        ObjectNames.at(key),
        settings.names().url(key));
  }

  @Override
  public Mono<Void> put(StoreKey key, List<Bytes> value, WriteCondition condition) {
    AtomicReference<@Nullable StallWatch> sending = new AtomicReference<>();
    PutObjectRequest.Builder request =
        PutObjectRequest.builder()
            .bucket(settings.bucket())
            .key(settings.names().object(key))
            .contentLength(ValuePart.size(value))
            .ifMatch(condition.ifMatch())
            .ifNoneMatch(condition.ifNoneMatch())
            .metadata(metadata(condition))
            .requestPayer(settings.payer());
    boolean mayBeRefused = !condition.isNone();
    if (mayBeRefused
        && settings.expectContinue()
        && ValuePart.size(value) > EXPECT_CONTINUE_ABOVE) {
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
        .onErrorMap(
            e -> mayBeRefused && S3Errors.saysClosed(e) && isPartlySent(sending.get()),
            PartlySent::new);
  }

  private static boolean isPartlySent(@Nullable StallWatch watch) {
    return watch != null && watch.isPartlySent();
  }

  /**
   * A connection that closed under the body: a server that refuses a condition may do that, and its
   * response is lost. It cannot have stored that body.
   */
  private static final class PartlySent extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PartlySent(Throwable closed) {
      super(null, closed, false, false);
    }
  }

  @Override
  public boolean isUnsent(Throwable error) {
    return error instanceof PartlySent;
  }

  /** Returns the metadata of a value that a conditional write makes. */
  static Map<String, String> metadata(WriteCondition condition) {
    return condition.isNone() ? Map.of() : Map.of(WriteCondition.MARK, condition.mark());
  }

  @Override
  public Mono<ObjectWriter.Stored> look(StoreKey key) {
    HeadObjectRequest request =
        HeadObjectRequest.builder()
            .bucket(settings.bucket())
            .key(settings.names().object(key))
            .requestPayer(settings.payer())
            .build();
    return requests
        .ask(request, S3AsyncClient::headObject)
        .map(
            found ->
                new ObjectWriter.Stored(found.eTag(), found.metadata().get(WriteCondition.MARK)))
        .onErrorResume(
            e -> e instanceof AwsServiceException answer && requests.saysMissing(answer),
            e -> Mono.empty());
  }

  /**
   * Returns true for the answer that the precondition does not hold. 409 means a concurrent write,
   * 404 a missing value. The end of an upload in parts may say so in the body of a 200.
   */
  private static boolean fails(WriteCondition condition, AwsServiceException answer) {
    return switch (answer.statusCode()) {
      case 412, 409 -> true;
      case 404 -> condition.ifMatch() != null && S3Errors.code(answer).equals("NoSuchKey");
      case 200 -> S3Errors.code(answer).matches("PreconditionFailed|ConditionalRequestConflict");
      default -> false;
    };
  }
}
