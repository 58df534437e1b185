package dev.zarrreactive.s3;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ObjectVersion;
import dev.zarrreactive.internal.s3.get.ObjectGet;
import dev.zarrreactive.internal.transfer.ContentRange;
import dev.zarrreactive.internal.transfer.ValueRequests;
import dev.zarrreactive.internal.transfer.ValueSize;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/** The requests of a {@link dev.zarrreactive.internal.transfer.ValueReader} to S3. */
final class S3ValueRequests implements ValueRequests {
  private static final int PRECONDITION_FAILED = 412;

  private final S3Requests requests;
  private final S3Settings settings;
  private final S3SizeProbe sizes;

  S3ValueRequests(S3Requests requests, S3Settings settings) {
    this.requests = requests;
    this.settings = settings;
    this.sizes = new S3SizeProbe(requests, settings);
  }

  @Override
  public Mono<Response> get(StoreKey key, Get request, BodyReader reader) {
    return requests
        .read(
            requestOf(key, request),
            (head, body) -> reader.read(S3ResponseHead.of(key, settings, head), body))
        .onErrorResume(AwsServiceException.class, answer -> refusal(key, request, answer))
        .onErrorMap(e -> S3Errors.of(e, ObjectNames.at(key), settings.names().url(key)));
  }

  /**
   * Names a version with an id by the id: the bucket has it also after the value was replaced. No
   * weak ETag ever matches in {@code If-Match}.
   */
  private ObjectGet requestOf(StoreKey key, Get request) {
    Version required = request.condition().required();
    ObjectVersion tag = required == null ? ObjectVersion.NONE : ObjectVersion.of(required);
    Version known = request.condition().known();
    return settings.get(
        key,
        request.range(),
        tag.id() == null ? settings.asSent(tag.strong()) : null,
        known == null ? null : settings.asSent(ObjectVersion.of(known).etag()),
        request.condition().unmodifiedSince(),
        tag.id());
  }

  private Mono<Response> refusal(StoreKey key, Get request, AwsServiceException answer) {
    return switch (answer.statusCode()) {
      case 304, 412, 416 -> Mono.just(refusal(key, answer.statusCode(), answer));
      case 401, 403 -> settings.forbiddenIsMissing() ? Mono.empty() : Mono.error(answer);
      case 404 -> {
        if (!requests.saysMissing(answer)) {
          yield Mono.error(answer);
        }
        boolean otherVersion =
            request.condition().required() != null && S3Errors.code(answer).equals("NoSuchVersion");
        yield otherVersion ? Mono.just(refusal(key, PRECONDITION_FAILED, answer)) : Mono.empty();
      }
      default -> Mono.error(answer);
    };
  }

  private Response refusal(StoreKey key, int status, AwsServiceException answer) {
    String url = settings.names().url(key);
    String range = S3Errors.header(answer, "Content-Range").orElse(null);
    return new Refused(
        status,
        url,
        ContentRange.totalOfRefusal(range),
        () -> S3Errors.answered(answer, ObjectNames.at(key), url));
  }

  @Override
  public Mono<ValueSize> size(StoreKey key, ReadCondition condition) {
    return sizes.size(key, condition);
  }
}
