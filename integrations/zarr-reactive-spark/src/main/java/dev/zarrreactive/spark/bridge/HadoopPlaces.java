package dev.zarrreactive.spark.bridge;

import dev.zarrreactive.partition.StoreDescription;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;

/**
 * Places in the words of Hadoop's file systems: {@code s3a://} is {@code s3://} with what Hadoop's
 * settings say of endpoint, region and addressing. Schemes and settings that have no counterpart
 * are refused by name. Public for the packages beside this one only.
 */
public final class HadoopPlaces {
  private static final List<String> OF_HADOOP =
      List.of("hdfs", "viewfs", "webhdfs", "wasb", "wasbs", "adl", "dbfs", "o3fs", "ofs", "har");

  private static final List<String> KEYS =
      List.of("access.key", "secret.key", "session.token", "security.credential.provider.path");

  private HadoopPlaces() {}

  /**
   * Describes a store by a location that may be Hadoop's; the given options come before settings.
   *
   * @throws IllegalArgumentException for a scheme or a setting that has no counterpart
   */
  public static StoreDescription describe(String location, Map<String, String> options) {
    String scheme = scheme(location);
    if (scheme.equals("s3a") || scheme.equals("s3n")) {
      String rest = location.substring(location.indexOf("://"));
      Configuration hadoop = SparkContext.getOrCreate().hadoopConfiguration();
      return new StoreDescription("s3" + rest, settings(rest, options, hadoop::get));
    }
    if (OF_HADOOP.contains(scheme)) {
      throw new IllegalArgumentException(
          "the format zarr has no store for "
              + scheme
              + ": (location "
              + location
              + "); it reads files, http(s)://, s3:// or s3a://, az:// or abfss://, and gs://. Copy"
              + " the hierarchy to one of them, or mount it as a directory of all machines");
    }
    return new StoreDescription(location, options);
  }

  private static String scheme(String location) {
    int end = location.indexOf(":/");
    return end < 0 ? "" : location.substring(0, end).toLowerCase(Locale.ROOT);
  }

  /** Returns the options with what the settings of Hadoop say beside them. */
  static Map<String, String> settings(
      String rest, Map<String, String> options, UnaryOperator<@Nullable String> hadoop) {
    String bucket = rest.substring("://".length()).split("[/|?]", 2)[0];
    UnaryOperator<@Nullable String> setting =
        name -> {
          String own = hadoop.apply("fs.s3a.bucket." + bucket + "." + name);
          return own == null || own.isBlank() ? hadoop.apply("fs.s3a." + name) : own;
        };
    Map<String, String> all = new TreeMap<>(options);
    String endpoint = setting.apply("endpoint");
    if (endpoint != null && !endpoint.isBlank()) {
      boolean isPlain = "false".equalsIgnoreCase(setting.apply("connection.ssl.enabled"));
      all.putIfAbsent(
          "endpoint",
          endpoint.contains("://") ? endpoint : (isPlain ? "http://" : "https://") + endpoint);
    }
    String region = setting.apply("endpoint.region");
    if (region != null && !region.isBlank()) {
      all.putIfAbsent("region", region);
    }
    if ("true".equalsIgnoreCase(setting.apply("path.style.access"))) {
      all.putIfAbsent("path-style", "true");
    }
    String provider = setting.apply("aws.credentials.provider");
    if (provider != null && provider.endsWith("AnonymousAWSCredentialsProvider")) {
      all.putIfAbsent("anonymous", "true");
    }
    boolean isNamed = all.keySet().stream().anyMatch(HadoopPlaces::namesCredentials);
    for (String key : KEYS) {
      String value = setting.apply(key);
      if (!isNamed && value != null && !value.isBlank()) {
        throw new IllegalArgumentException(
            "Hadoop's setting fs.s3a."
                + key
                + " is not used for s3a://"
                + bucket
                + ": keys would be sent with every task. Give the machines AWS_ACCESS_KEY_ID and"
                + " AWS_SECRET_ACCESS_KEY, a profile or a role, and name what they have by"
                + " store.profile, store.credentials or store.anonymous; or write s3://, for which"
                + " no setting of Hadoop is read");
      }
    }
    return all;
  }

  private static boolean namesCredentials(String option) {
    return option.equals("profile") || option.equals("anonymous") || option.equals("credentials");
  }
}
