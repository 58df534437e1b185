package dev.zarrreactive.s3;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;

/**
 * The region of one bucket: the region that the user set; else that of the environment or the
 * profile; else {@code us-east-1}, as in other tools. Unless the user set it, it changes once, when
 * a server answers that the bucket is in another region.
 */
final class BucketRegion {
  /** The region of a client that the application gave. */
  static final BucketRegion UNKNOWN = new BucketRegion(null);

  private static final String DEFAULT = "us-east-1";

  private final @Nullable ClientSettings settings;
  private volatile @Nullable String moved;

  BucketRegion(@Nullable ClientSettings settings) {
    this.settings = settings;
  }

  /** Returns the region, as far as it is known. It may block. */
  Region region() {
    String named = named();
    return Region.of(named == null ? configured() : named);
  }

  private @Nullable String named() {
    String now = moved;
    return now != null || settings == null ? now : settings.region;
  }

  private String configured() {
    if (settings == null || settings.endpoint != null) {
      return DEFAULT;
    }
    try {
      return chain(settings).getRegion().id();
    } catch (SdkClientException e) {
      return DEFAULT;
    }
  }

  /** Skips the metadata service of a virtual machine without credentials: it may be slow. */
  private static AwsRegionProvider chain(ClientSettings settings) {
    String profile = settings.profile;
    if (settings.anonymous) {
      return new AwsRegionProviderChain(
          new SystemSettingsRegionProvider(), new AwsProfileRegionProvider());
    }
    DefaultAwsRegionProviderChain.Builder chain = DefaultAwsRegionProviderChain.builder();
    return (profile == null ? chain : chain.profileName(profile)).build();
  }

  /** Moves to {@code other}; returns true where requests to {@code asked} are to be sent there. */
  synchronized boolean tryMove(String asked, String other) {
    if (settings == null || settings.region != null || asked.equals(other)) {
      return false;
    }
    if (moved == null) {
      moved = other;
    }
    return other.equals(moved);
  }

  /** Returns true for the region that the bucket is not in. */
  boolean hasLeft(String asked) {
    String now = moved;
    return now != null && !asked.equals(now);
  }
}
