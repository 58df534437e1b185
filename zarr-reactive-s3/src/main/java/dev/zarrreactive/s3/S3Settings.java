package dev.zarrreactive.s3;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ObjectVersion;
import dev.zarrreactive.internal.s3.get.ObjectGet;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.RequestPayer;

/** The settings of the requests of one store. */
record S3Settings(
    String bucket,
    ObjectNames names,
    boolean requesterPays,
    boolean forbiddenIsMissing,
    boolean unquotedETags,
    boolean versionIds,
    boolean conditionalWrites,
    boolean conditionalErase,
    Duration stallTimeout,
    int resumes,
    long multipartThreshold,
    int partSize,
    boolean conditionalMultipart,
    boolean expectContinue) {

  @Nullable RequestPayer payer() {
    return requesterPays ? RequestPayer.REQUESTER : null;
  }

  /** Returns a GET of the value; null for a header that it lacks, and for the current version. */
  ObjectGet get(
      StoreKey key,
      @Nullable String range,
      @Nullable String ifMatch,
      @Nullable String ifNoneMatch,
      @Nullable Instant ifUnmodifiedSince,
      @Nullable String versionId) {
    return new ObjectGet(
        bucket,
        names.object(key),
        range,
        ifMatch,
        ifNoneMatch,
        ifUnmodifiedSince,
        versionId,
        requesterPays,
        ObjectNames.at(key),
        names.url(key));
  }

  /** Returns an ETag in the form that the server expects in conditions; null for null. */
  @Nullable String asSent(@Nullable String etag) {
    return etag != null && unquotedETags ? etag.replace("\"", "") : etag;
  }

  /** Returns the version in a response. */
  ObjectVersion version(@Nullable String etag, @Nullable String id) {
    return ObjectVersion.of(etag, versionIds ? id : null);
  }
}
