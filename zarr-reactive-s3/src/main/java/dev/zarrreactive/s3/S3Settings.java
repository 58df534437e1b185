package dev.zarrreactive.s3;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.s3.get.ObjectGet;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.RequestPayer;

/**
 * The settings of the requests of one store.
 *
 * @param prefix empty, or ends with a slash
 */
record S3Settings(
    String bucket,
    String prefix,
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

  /** Returns the name of the object with the value at {@code key}. */
  String object(StoreKey key) {
    return prefix + key.value();
  }

  /** Returns the prefix of the names of all objects below {@code below}. */
  String objects(StorePrefix below) {
    return prefix + below.value();
  }

  /** Returns the URL of a value, for messages. */
  String url(StoreKey key) {
    return "s3://" + bucket + "/" + object(key);
  }

  /** Returns the URL of a prefix, for messages. */
  String url(StorePrefix below) {
    return "s3://" + bucket + "/" + objects(below);
  }

  static Location at(StoreKey key) {
    return Location.ofKey(key.value());
  }

  static Location at(StorePrefix below) {
    return below.value().isEmpty() ? Location.UNKNOWN : Location.ofKey(below.value());
  }

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
        object(key),
        range,
        ifMatch,
        ifNoneMatch,
        ifUnmodifiedSince,
        versionId,
        requesterPays,
        at(key),
        url(key));
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
