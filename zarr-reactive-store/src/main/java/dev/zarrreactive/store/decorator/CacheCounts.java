package dev.zarrreactive.store.decorator;

/**
 * A snapshot of the counts of a cache. Keys that bypass the cache are not counted.
 *
 * @param hits the reads that were answered from memory
 * @param shared the reads that joined the request of another one
 * @param misses the reads that requested bytes
 * @param revalidations the reads that requested bytes only if they have changed
 * @param evictions the entries that were evicted
 * @param entries the values, ranges and missing keys in the cache now
 * @param bytes their weight, as {@link CacheOptions} defines it
 */
public record CacheCounts(
    long hits,
    long shared,
    long misses,
    long revalidations,
    long evictions,
    long entries,
    long bytes) {}
