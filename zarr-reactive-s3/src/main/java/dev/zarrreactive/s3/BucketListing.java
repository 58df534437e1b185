package dev.zarrreactive.s3;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.objects.ObjectListing;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ObjectPage;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Requests the pages of a listing. */
final class BucketListing implements ObjectListing.Pages {
  private final S3Requests requests;
  private final S3Settings settings;

  BucketListing(S3Requests requests, S3Settings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  /** Returns true where the server may have replaced characters that XML cannot express. */
  static boolean isDoubtful(StoreKey key) {
    return key.value().indexOf('\uFFFD') >= 0;
  }

  /** Ceph encodes keys and not the prefix that it repeats; with a lone % that is no encoding. */
  @Override
  public Mono<ObjectPage> page(
      StorePrefix prefix, @Nullable String delimiter, @Nullable String token) {
    ListObjectsV2Request.Builder request =
        ListObjectsV2Request.builder()
            .bucket(settings.bucket())
            .prefix(settings.names().objects(prefix))
            .delimiter(delimiter)
            .continuationToken(token)
            .requestPayer(settings.payer());
    ListObjectsV2Request plain = request.build();
    ListObjectsV2Request encoded = request.encodingType(EncodingType.URL).build();
    return requests
        .ask(encoded, S3AsyncClient::listObjectsV2)
        .onErrorResume(
            e -> String.valueOf(e.getMessage()).contains("URLDecoder"),
            e -> requests.ask(plain, S3AsyncClient::listObjectsV2))
        .map(BucketListing::page)
        .onErrorMap(e -> S3Errors.of(e, ObjectNames.at(prefix), settings.names().url(prefix)));
  }

  private static ObjectPage page(ListObjectsV2Response answer) {
    List<ObjectPage.Listed> objects =
        answer.contents().stream().map(BucketListing::listed).toList();
    List<String> prefixes = answer.commonPrefixes().stream().map(CommonPrefix::prefix).toList();
    return new ObjectPage(
        objects,
        prefixes,
        Boolean.TRUE.equals(answer.isTruncated()),
        answer.nextContinuationToken());
  }

  private static ObjectPage.Listed listed(S3Object object) {
    Long size = object.size();
    return new ObjectPage.Listed(object.key(), size == null ? -1 : size, object.lastModified());
  }
}
