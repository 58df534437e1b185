package dev.zarrreactive.http;

import java.time.Duration;
import java.util.Map;

/**
 * How requests are made.
 *
 * @param proxied true where a proxy stands before the server
 * @param headers what is sent with every request to the server of the store
 * @param followRedirects false where a redirect is an error
 * @param forbiddenIsMissing true where 401 and 403 mean that there is no value
 * @param stallTimeout how long nothing may arrive
 * @param leastSpeed how many bytes of a body have to come a second, on average over a stall timeout
 * @param resumes how often a body that was cut is continued
 */
record HttpSettings(
    boolean proxied,
    Map<String, String> headers,
    boolean followRedirects,
    boolean forbiddenIsMissing,
    Duration stallTimeout,
    int leastSpeed,
    int resumes) {}
