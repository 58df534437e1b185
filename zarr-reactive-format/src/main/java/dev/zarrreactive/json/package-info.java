/**
 * JSON values that keep the order of members and the spelling of numbers. Jackson's streaming API
 * reads and writes them.
 */
@NullMarked
package dev.zarrreactive.json;

import org.jspecify.annotations.NullMarked;
