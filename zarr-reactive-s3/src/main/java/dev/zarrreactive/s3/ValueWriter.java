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
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.model.CompletedPart;
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
  private final S3SizeProbe sizes;

  ValueWriter(S3Requests requests, S3Settings settings) {
    this.requests = requests;
    this.settings = settings;
    this.multipart = new PartedUpload<>(new MultipartUpload(requests, settings));
    this.sizes = new S3SizeProbe(requests, settings);
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
    return S3Errors.of(error, ObjectNames.at(key), settings.names().url(key));
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
        .onErrorResume(
            e -> mayBeRefused && S3Errors.saysClosed(e) && isPartlySent(sending.get()),
            e -> checkStored(key, condition).then(Mono.error(e)));
  }

  private static boolean isPartlySent(@Nullable StallWatch watch) {
    return watch != null && watch.isPartlySent();
  }

  /**
   * Fails where the precondition does not hold for the stored value. A server that refuses a
   * condition may close the connection under the body, and the response is lost. The server cannot
   * have stored that body, so that the stored value decides.
   */
  private Mono<Void> checkStored(StoreKey key, WriteCondition condition) {
    Version version = condition.precondition().version();
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
                            condition.failed(
                                key,
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
  private static boolean fails(WriteCondition condition, AwsServiceException answer) {
    return switch (answer.statusCode()) {
      case 412, 409 -> true;
      case 404 -> condition.ifMatch() != null && S3Errors.code(answer).equals("NoSuchKey");
      case 200 -> S3Errors.code(answer).matches("PreconditionFailed|ConditionalRequestConflict");
      default -> false;
    };
  }
}
