package dev.zarrreactive.s3;

import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.transfer.BodyHead;
import dev.zarrreactive.internal.transfer.BodyReading;
import dev.zarrreactive.internal.transfer.Wanted;
import dev.zarrreactive.internal.transfer.WantedVersion;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Reads bytes of one value, for one subscriber. Where the body is cut it asks for what is still
 * missing, as long as the value is the same: that needs a strong ETag.
 */
final class ValueReading {
  private final Calls calls;
  private final S3Settings settings;
  private final Sizes sizes;
  private final StoreKey key;
  private final Wanted wanted;
  private final ReadCondition condition;
  private int resumes;
  private @Nullable BodyReading body;

  ValueReading(
      Calls calls, S3Settings settings, StoreKey key, Wanted wanted, ReadCondition condition) {
    this.calls = calls;
    this.settings = settings;
    this.sizes = new Sizes(calls, settings);
    this.key = key;
    this.wanted = wanted;
    this.condition = condition;
    this.resumes = settings.resumes();
  }

  /** The bytes; empty where there is no value. */
  Mono<VersionedBytes> bytes() {
    GetObjectRequest.Builder request = request().range(wanted.header());
    Conditions.addTo(request, condition, settings);
    return calls
        .read(request.build(), this::begin)
        .onErrorResume(AwsServiceException.class, this::answered)
        .onErrorMap(e -> S3Errors.of(e, S3Settings.at(key), settings.url(key)))
        .onErrorResume(TransientStoreException.class, this::resumed);
  }

  private GetObjectRequest.Builder request() {
    return GetObjectRequest.builder()
        .bucket(settings.bucket())
        .key(settings.object(key))
        .requestPayer(settings.payer());
  }

  private Mono<VersionedBytes> begin(GetObjectResponse head, Flux<ByteBuffer> content) {
    Reply reply = Reply.of(key, settings, head);
    VersionedBytes unchanged = WantedVersion.unchanged(key, reply.tag().version(), condition);
    if (unchanged != null) {
      return Mono.just(unchanged);
    }
    BodyReading reading = new BodyReading(reply.body(), wanted);
    body = reading;
    return answer(reading.read(content), reply);
  }

  private static Mono<VersionedBytes> answer(Mono<Bytes> content, Reply reply) {
    return content.map(bytes -> new VersionedBytes(bytes, reply.tag().version()));
  }

  /** Not with a value. */
  private Mono<VersionedBytes> answered(AwsServiceException answer) {
    Version known = condition.known();
    Version required = condition.required();
    return switch (answer.statusCode()) {
      case 304 -> known == null ? Mono.error(answer) : Mono.just(VersionedBytes.unchanged(known));
      case 401, 403 -> settings.forbiddenIsMissing() ? Mono.empty() : Mono.error(answer);
      case 404 -> {
        if (!calls.saysMissing(answer)) {
          yield Mono.error(answer);
        }
        yield required != null && S3Errors.code(answer).equals("NoSuchVersion")
            ? Mono.error(() -> WantedVersion.failed(key, required, "the bucket has none such"))
            : Mono.empty();
      }
      case 412 ->
          required == null
              ? Mono.error(answer)
              : Mono.error(() -> WantedVersion.failed(key, required, "it is another"));
      case 416 ->
          wanted.header() == null
              ? Mono.error(answer)
              : sizes.of(key, condition).map(size -> beyondTheEnd(size));
      default -> Mono.error(answer);
    };
  }

  /** No byte of the range is there. The version, which a 416 does not tell, is looked at first. */
  private VersionedBytes beyondTheEnd(Size size) {
    VersionedBytes unchanged = WantedVersion.unchanged(key, size.tag().version(), condition);
    if (unchanged != null) {
      return unchanged;
    }
    boolean atTheEnd =
        wanted.isSuffix() ? size.total() == 0 : wanted.end() < 0 && wanted.offset() == size.total();
    if (atTheEnd) {
      return new VersionedBytes(Bytes.EMPTY, size.tag().version());
    }
    boolean there =
        wanted.isSuffix()
            || (wanted.end() < 0 ? wanted.offset() < size.total() : wanted.end() <= size.total());
    throw there ? BodyHead.changed(key, settings.url(key)) : wanted.tooShort(key, size.total());
  }

  /**
   * The rest of a body that was cut; the error where no more of it comes, or it may have changed.
   */
  private Mono<VersionedBytes> resumed(TransientStoreException cut) {
    BodyReading reading = body;
    if (reading == null || resumes == 0 || !reading.canResume()) {
      return Mono.error(cut);
    }
    resumes--;
    Tag tag = Tag.of(new Version(String.valueOf(reading.head().version())));
    GetObjectRequest rest =
        request()
            .range(reading.rest())
            .ifMatch(settings.asSent(tag.strong()))
            .versionId(tag.id())
            .build();
    return calls
        .read(rest, this::goOn)
        .switchIfEmpty(Mono.error(() -> BodyHead.changed(key, settings.url(key))))
        .onErrorMap(AwsServiceException.class, this::instead)
        .onErrorMap(e -> S3Errors.of(e, S3Settings.at(key), settings.url(key)))
        .onErrorResume(TransientStoreException.class, this::resumed);
  }

  /** The value is gone, or another. */
  private Throwable instead(AwsServiceException answer) {
    return switch (answer.statusCode()) {
      case 404, 412, 416 -> BodyHead.changed(key, settings.url(key));
      default -> answer;
    };
  }

  private Mono<VersionedBytes> goOn(GetObjectResponse head, Flux<ByteBuffer> content) {
    Reply reply = Reply.of(key, settings, head);
    BodyReading reading = body;
    return reading == null
        ? Mono.error(() -> new PreconditionFailedException("nothing was begun", S3Settings.at(key)))
        : answer(reading.goOn(reply.body(), content), reply);
  }
}
