/* REQ8 written by hand in integer arithmetic, and held against a vector file in JSON Lines.
 *
 *     cc -std=c99 -Wall -o req8 vectors/examples/req8.c && ./req8 vectors/req8.rne.nosat.jsonl
 *
 * Prints every case that differs, then a count; exit code 1 if any differs, 2 if the file cannot be read.
 * No library is needed: inputs and outputs are quoted hex strings between square brackets, and nothing else is.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OVERFLOW_FLAGS = 0x14, INEXACT_FLAG = 0x10, LONGEST_LINE = 1 << 17 };

struct result {
    int8_t word;
    uint8_t flags;
};

struct mode {
    char rounding[4];
    bool saturate;
};

/* Whether the magnitude whole + rest / unit, rest not 0, goes to whole + 1. */
static bool rounds_away(const char *rounding, bool negative, uint64_t whole, int below_half)
{
    bool nearest = rounding[0] == 'R' && (rounding[1] == 'N' || rounding[1] == 'H');
    if (nearest && below_half != 0)
        return below_half < 0;
    if (strcmp(rounding, "RNE") == 0)
        return whole % 2 == 1;
    if (strcmp(rounding, "RTO") == 0)
        return whole % 2 == 0;
    if (strcmp(rounding, "RTM") == 0)
        return negative;
    if (strcmp(rounding, "RTP") == 0 || strcmp(rounding, "RHB") == 0)
        return !negative;
    return strcmp(rounding, "RNA") == 0;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

static struct result req8(struct mode mode, int32_t value, unsigned relu, uint64_t quant_param, uint64_t relu_param)
{
    /* The factor is an FP19 code: 8 exponent bits with bias 127, 10 fraction bits. Zero is the only number below 2^-126. */
    uint32_t code = (uint32_t)(quant_param >> 13 & 0x7ffff);
    if (value < 0 && relu == 1)
        code = 0;
    else if (value < 0 && relu > 1)
        code = (uint32_t)(relu_param & 0x7ffff);
    bool negative = value < 0;
    uint64_t magnitude = negative ? (uint64_t)(-(int64_t)value) : (uint64_t)value;
    uint64_t product = code == 0 ? 0 : magnitude * (1024 + (code & 1023)); /* below 2^43 */
    int exponent = (int)(code >> 10) - 137;

    uint64_t whole = product, rest = 0;
    int below_half = 0; /* -1, 0, 1: the rest is above, at, below one half */
    if (product != 0 && exponent >= 0)
        whole = exponent > 20 ? UINT64_MAX >> 1 : product << exponent;
    else if (product != 0) {
        int places = exponent < -63 ? 63 : -exponent; /* 43 bits stay far below one half from 44 places on */
        uint64_t half = (uint64_t)1 << (places - 1);
        whole = product >> places;
        rest = product - (whole << places);
        below_half = rest < half ? 1 : rest == half ? 0 : -1;
    }
    bool inexact = rest != 0;
    if (inexact && rounds_away(mode.rounding, negative, whole, below_half))
        whole++;

    int64_t rounded = negative ? -(int64_t)whole : (int64_t)whole;
    int64_t intermediate = clamp(rounded, -256, 255);
    int64_t offset = (int64_t)(quant_param >> 37 & 0x1ff);
    int64_t total = intermediate + (offset >= 256 ? offset - 512 : offset);
    int64_t clamped = clamp(total, -128, 127);
    int64_t wrapped = ((total + 128) & 0xff) - 128;
    bool overflow = intermediate != rounded || clamped != total;
    struct result result = {
        .word = (int8_t)(mode.saturate ? clamped : wrapped),
        .flags = overflow ? OVERFLOW_FLAGS : inexact ? INEXACT_FLAG : 0,
    };
    return result;
}

/* Read `count` hex strings of the list named `key`; false if the line has no such list. */
static bool read_list(const char *line, const char *key, int count, uint64_t *values)
{
    const char *at = strstr(line, key);
    if (at == NULL || (at = strchr(at, '[')) == NULL)
        return false;
    for (int i = 0; i < count; i++) {
        char *end;
        if ((at = strchr(at, '"')) == NULL)
            return false;
        values[i] = strtoull(at + 1, &end, 16);
        if (*end != '"')
            return false;
        at = end + 1;
    }
    return true;
}

static bool read_header(const char *line, struct mode *mode)
{
    const char *rounding = strstr(line, "\"rounding\": \"");
    if (strstr(line, "\"conversion\": \"req8.") == NULL || rounding == NULL)
        return false;
    memcpy(mode->rounding, rounding + strlen("\"rounding\": \""), 3);
    mode->saturate = strstr(line, "\"saturate\": true") != NULL;
    return true;
}

int main(int argc, char **argv)
{
    static char line[LONGEST_LINE];
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    struct mode mode = {"", false};
    if (file == NULL || fgets(line, sizeof line, file) == NULL || !read_header(line, &mode)) {
        fprintf(stderr, "usage: req8 FILE, a vector file of REQ8 in JSON Lines\n");
        return 2;
    }
    int cases = 0, wrong = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        uint64_t in[4], out[2];
        if (!read_list(line, "\"in\": ", 4, in) || !read_list(line, "\"out\": ", 2, out)) {
            fprintf(stderr, "%s:%d: no case\n", argv[1], cases + 2);
            return 2;
        }
        struct result got = req8(mode, (int32_t)(uint32_t)in[0], (unsigned)in[1], in[2], in[3]);
        cases++;
        if ((uint8_t)got.word != out[0] || got.flags != out[1]) {
            printf("%s:%d: given %02x %02x, expected %02x %02x\n", argv[1], cases + 1, (unsigned)(uint8_t)got.word,
                   (unsigned)got.flags, (unsigned)out[0], (unsigned)out[1]);
            wrong++;
        }
    }
    fclose(file);
    printf("%s: %d cases, %d differ\n", argv[1], cases, wrong);
    return wrong != 0;
}
