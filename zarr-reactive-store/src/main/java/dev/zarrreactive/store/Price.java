package dev.zarrreactive.store;

import java.time.Duration;

/**
 * What reads cost, in any currency: requests and bytes as a service charges them, and the time of
 * the machine that waits for them.
 */
public record Price(double perRequest, double perByte, double perSecond) {
  /** A price; no number may be negative or infinite. */
  public Price {
    double sum = perRequest + perByte + perSecond;
    if (!(perRequest >= 0 && perByte >= 0 && perSecond >= 0 && sum < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "not a price: " + perRequest + ", " + perByte + ", " + perSecond);
    }
  }

  /** Returns a price in the units of price lists: a million requests, a gigabyte, an hour. */
  public static Price of(double millionRequests, double gigabyte, double hour) {
    return new Price(millionRequests / 1e6, gigabyte / 1e9, hour / 3600);
  }

  /** Returns the price of a read that made so many requests, and received so many bytes. */
  public double total(long requests, long bytes, Duration time) {
    return requests * perRequest + bytes * perByte + time.toNanos() / 1e9 * perSecond;
  }
}
