package dev.zarrreactive.http;

import java.time.Duration;
import java.util.Map;

/**
 * The settings of the requests of one store.
 *
 * @param proxied true where a proxy stands before the server
 * @param headers of every request to the server of the store
 * @param followRedirects false where a redirect is an error
 * @param forbiddenIsMissing true where 401 and 403 mean that the value is missing
 * @param pagesAreMissing true where a page in HTML means that the value is missing
 * @param stallTimeout the longest time without a byte
 * @param leastSpeed of a body in bytes per second, on average over a stall timeout
 * @param resumes the number of times that a body which was cut is resumed
 */
record HttpSettings(
    boolean proxied,
    Map<String, String> headers,
    boolean followRedirects,
    boolean forbiddenIsMissing,
    boolean pagesAreMissing,
    Duration stallTimeout,
    int leastSpeed,
    int resumes) {}
