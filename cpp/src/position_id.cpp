#include "sheshbesh/position_id.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace sheshbesh {

namespace {

constexpr std::string_view kFieldOrder = "xhtsmp";

std::size_t at(int index) { return static_cast<std::size_t>(index); }
std::size_t at(Colour side) { return static_cast<std::size_t>(side); }

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
bool is_white_stack(char letter) { return letter >= 'A' && letter <= 'O'; }
bool is_black_stack(char letter) { return letter >= 'a' && letter <= 'o'; }
bool is_stack(char letter) { return is_white_stack(letter) || is_black_stack(letter); }

// A text read from front to back.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    bool at_end() const { return at_ == text_.size(); }
    int place() const { return static_cast<int>(at_); }
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    char next() { return text_[at_++]; }
    bool take(char letter) {
        if (at_end() || peek() != letter) return false;
        ++at_;
        return true;
    }
    // A number of one or two digits.
    std::optional<int> number() {
        if (!is_digit(peek())) return std::nullopt;
        int found = next() - '0';
        if (is_digit(peek())) found = 10 * found + (next() - '0');
        return found;
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

void put(const Ruleset& rules, Description& description, int point, char letter, bool is_pinned) {
    const bool is_white = is_white_stack(letter);
    OneSide& side = description.sides[at(is_white ? Colour::white : Colour::black)];
    const int own = is_white ? point : rules.mirrored(point);
    side.counts[at(own)] = letter - (is_white ? 'A' : 'a') + 1;
    if (is_pinned) side.pinned |= bit(own);
}

std::optional<Problem> read_board(const Ruleset& rules, std::string_view text, Description& description) {
    Reader reader(text);
    int point = 24;
    while (!reader.at_end()) {
        const int column = reader.place() + 1;
        if (reader.peek() != '0' && is_digit(reader.peek())) {
            point -= reader.number().value_or(0);
        } else {
            const bool is_pin =
                reader.peek() == '(' && is_stack(reader.peek(1)) && is_stack(reader.peek(2)) && reader.peek(3) == ')';
            if (!is_pin && !is_stack(reader.peek())) return Problem{.fault = Fault::id_stack, .n = column};
            if (is_pin && is_white_stack(reader.peek(1)) == is_white_stack(reader.peek(2))) {
                return Problem{.fault = Fault::id_pin, .n = column};
            }
            if (is_pin) reader.next();
            for (int depth = 0; depth <= static_cast<int>(is_pin); ++depth) {
                const char letter = reader.next();
                if (point >= 1) put(rules, description, point, letter, depth == 1);
            }
            if (is_pin) reader.next();
            point = point >= 1 ? point - 1 : -1;
        }
        if (point < 0) return Problem{.fault = Fault::id_most, .n = reader.place()};
    }
    if (point != 0) return Problem{.fault = Fault::id_few, .n = 24 - point};
    return std::nullopt;
}

bool read_pair(Reader& reader, char letter, Description& description) {
    const std::optional<int> white = reader.number();
    if (!white || !reader.take('.')) return false;
    const std::optional<int> black = reader.number();
    if (!black) return false;
    for (const auto& [side, number] : {std::pair(Colour::white, *white), std::pair(Colour::black, *black)}) {
        OneSide& one = description.sides[at(side)];
        if (letter == 't') {
            one.turns = number;
        } else {
            one.counts[at(letter == 'x' ? kBar : kHand)] = number;
        }
    }
    return true;
}

bool read_owed(Reader& reader, Pending& owed) {
    if (reader.take('?')) {
        owed.choose_double = true;
    } else {
        int low = 6;
        for (; owed.steps < kMaxSteps && reader.peek() >= '1' && reader.peek() <= '6'; ++owed.steps) {
            const int die = reader.next() - '0';
            low = std::min(low, die);
            owed.die = static_cast<std::uint8_t>(std::max<int>(owed.die, die));
        }
        if (owed.steps == 0) return false;
        const bool goes_on = reader.take('+');
        owed.rest = goes_on && owed.die < 6;
        owed.then_throw = reader.take('!');
        // The steps of an element are equal, or the two of a simple throw that nothing follows.
        if (low != owed.die) {
            if (owed.steps != 2 || goes_on) return false;
            owed.second = static_cast<std::uint8_t>(low);
        }
    }
    if (reader.take('h')) {
        if (reader.peek() == '0') return false;
        const std::optional<int> head = reader.number();
        if (!head) return false;
        owed.head = static_cast<std::uint8_t>(*head);
    }
    return true;
}

// The letter of a field that was read.
std::optional<char> read_field(std::string_view text, Description& description) {
    Reader reader(text);
    if (reader.at_end()) return std::nullopt;
    const char letter = reader.next();
    bool is_read = false;
    if (letter == 'x' || letter == 'h' || letter == 't') {
        is_read = read_pair(reader, letter, description);
    } else if (letter == 's' || letter == 'm') {
        const bool is_white = reader.take('w');
        is_read = is_white || reader.take('b');
        (letter == 's' ? description.starter : description.mother_lost) = is_white ? Colour::white : Colour::black;
    } else if (letter == 'p') {
        is_read = read_owed(reader, description.pending);
    }
    if (!is_read || !reader.at_end()) return std::nullopt;
    return letter;
}

// What cannot be read; none if all was.
std::optional<Problem> read_text(const Ruleset& rules, std::string_view text, Description& description) {
    // Bytes that go on with a character of UTF-8 are none of their own.
    const auto characters = std::ranges::count_if(text, [](char letter) { return (letter & 0xC0) != 0x80; });
    if (characters > kLongestId) return Problem{.fault = Fault::id_long, .n = kLongestId};
    const auto next = [&text]() -> std::optional<std::string_view> {
        if (text.data() == nullptr) return std::nullopt;
        const std::size_t end = text.find(':');
        const std::string_view part = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        return part;
    };
    const std::string_view board = next().value_or("");
    const std::string_view side = next().value_or("");
    if (side != "w" && side != "b") return Problem{.fault = Fault::id_side};
    description.turn = side == "w" ? Colour::white : Colour::black;
    if (std::optional<Problem> found = read_board(rules, board, description)) return found;
    std::size_t expected = 0;
    while (const std::optional<std::string_view> part = next()) {
        const std::optional<char> letter = read_field(*part, description);
        if (!letter) return Problem{.fault = Fault::id_field, .field = *part};
        const std::size_t place = kFieldOrder.find(*letter);
        if (place < expected) return Problem{.fault = Fault::id_order, .field = *part};
        expected = place + 1;
    }
    return std::nullopt;
}

}  // namespace

ReadId read_id(const Ruleset& rules, std::string_view text) {
    ReadId found;
    Description& description = found.description;
    if (const std::optional<Problem> unread = read_text(rules, text, description)) {
        found.problems.push_back(*unread);
        return found;
    }
    for (OneSide& side : description.sides) {
        const int placed = std::accumulate(side.counts.begin(), side.counts.end(), 0);
        side.counts[at(kOff)] = std::max(rules.checkers - placed, 0);
    }
    found.problems = checker_problems(rules, description);
    if (!found.problems.empty()) return found;
    const int counted = rules.turns_remembered();
    for (const Colour side : {Colour::white, Colour::black}) {
        if (description.sides[at(side)].turns <= counted) continue;
        found.problems.push_back({.fault = Fault::id_turns, .side = side, .most = counted});
        return found;
    }
    found.problems = history_problems(rules, description);
    return found;
}

std::string write_id(const Ruleset& rules, const State& state) {
    const Description description = described(state);
    const auto& [white, black] = description.sides;
    std::string text;
    const auto add = [&text](char letter) { text.push_back(letter); };
    const auto add_number = [&](int number) {  // of at most two digits
        if (number > 9) add(static_cast<char>('0' + number / 10));
        add(static_cast<char>('0' + number % 10));
    };
    const auto add_field = [&](char name) {
        add(':');
        add(name);
    };
    int gap = 0;
    for (int point = 24; point >= 0; --point) {
        const int mine = point == 0 ? 0 : white.counts[at(point)];
        const int theirs = point == 0 ? 0 : black.counts[at(rules.mirrored(point))];
        if (mine == 0 && theirs == 0 && point != 0) {
            ++gap;
            continue;
        }
        if (gap != 0) add_number(gap);
        gap = 0;
        const bool is_shared = mine != 0 && theirs != 0;
        // The one that is pinned stands behind the one above it.
        const bool is_below = is_shared && (white.pinned & bit(point)) != 0;
        if (is_shared) add('(');
        for (const bool is_white : {!is_below, is_below}) {
            const int count = is_white ? mine : theirs;
            if (count != 0) add(static_cast<char>((is_white ? 'A' : 'a') + count - 1));
        }
        if (is_shared) add(')');
    }
    const auto letter = [](Colour side) { return side == Colour::white ? 'w' : 'b'; };
    const auto add_pair = [&](char name, int a, int b) {
        if (a == 0 && b == 0) return;
        add_field(name);
        add_number(a);
        add('.');
        add_number(b);
    };
    add_field(letter(description.turn));
    add_pair('x', white.counts[at(kBar)], black.counts[at(kBar)]);
    add_pair('h', white.counts[at(kHand)], black.counts[at(kHand)]);
    add_pair('t', white.turns, black.turns);
    for (const auto& [name, side] : {std::pair('s', description.starter), std::pair('m', description.mother_lost)}) {
        if (!side) continue;
        add_field(name);
        add(letter(*side));
    }
    const Pending& owed = state.pending;
    if (!owed.any()) return text;
    add_field('p');
    if (owed.choose_double) {
        add('?');
    } else {
        for (int step = 0; step < owed.steps; ++step) add_number(step > 0 && owed.second != 0 ? owed.second : owed.die);
        if (owed.rest) add('+');
        if (owed.then_throw) add('!');
    }
    if (owed.head != 0) {
        add('h');
        add_number(owed.head);
    }
    return text;
}

}  // namespace sheshbesh
