package dev.zarrreactive.internal.objects;

import java.net.URI;

/**
 * A URL of the form {@code scheme://BUCKET/PREFIX}.
 *
 * @param prefix as it is written; empty for all of the bucket
 */
public record BucketUrl(String bucket, String prefix) {

  /**
   * Parses a URL. Errors show no forbidden part of it: that may be a secret.
   *
   * @param service for messages, such as {@code S3}
   * @param form for messages, such as {@code s3://BUCKET/PREFIX}
   * @param advice where credentials and the server come from: sentences for messages
   * @throws IllegalArgumentException for a URL of another form
   */
  public static BucketUrl of(URI uri, String service, String form, String advice) {
    String bucket = uri.getRawAuthority();
    if (bucket == null || bucket.contains("@") || bucket.contains(":")) {
      throw new IllegalArgumentException(
          "a URL of " + service + " is " + form + ": no user, password or port. " + advice);
    }
    refuseQuery(uri, service, form);
    String path = uri.getPath();
    return new BucketUrl(bucket, path == null ? "" : path);
  }

  /**
   * Refuses a query and a fragment.
   *
   * @throws IllegalArgumentException where the URL has one
   */
  public static void refuseQuery(URI uri, String service, String form) {
    if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "a URL of "
              + service
              + " is "
              + form
              + ", without ? and #; written as %3F and %23 they are part of the prefix");
    }
  }
}
