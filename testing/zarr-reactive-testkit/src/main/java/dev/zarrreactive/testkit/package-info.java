/** Contract tests for stores, and stores that count, delay and fail. */
@NullMarked
package dev.zarrreactive.testkit;

import org.jspecify.annotations.NullMarked;
