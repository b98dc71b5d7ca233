"""Words that the rules for identity go by; Chinese ones in simplified characters."""

from __future__ import annotations


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘"
    "田董袁于余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹"
    "熊孟秦白江阎薛尹段雷黎史龙陶贺顾毛郝龚邵钱严武莫孔汤康温施牛葛洪柯庄翁简游赖欧詹纪涂俞祝章鲍倪骆霍卓褚"
    "柳盛鲁岳齐沿梅庞樊兰殷洛申饶瞿苗凌费靳祁毕聂焦景耿蒙芦冼宁池甘荣阮蓝闵柴华冉房辛"
    "吉巩季覃卜谷裴寇巴柏臧匡司晏娄包阳戚桂屈童项卫喻谈米蔺盖辜甄邬鞠封巫宗晋丛岑谌符"
    "滕佟艾燕郗颜祖麦翟牟苑窦雍桑凤穆闫佘郎诸仇栾敖冷植阴郁胥苍闻莘党荀羊於惠曲储靖汲"
    "邴糜乌弓牧隗宓蓬仲伊宫"
)
COMPOUND_SURNAMES = "欧阳|司徒|上官|诸葛|司马|皇甫|东方|慕容|夏侯|尉迟|令狐|公孙|长孙|宇文|端木"
NOT_ENDING_NAMES = "生师员人者兴个中学班上面手心力度的了吗呢"

NO_NAMES = _words(
    """
    mr mrs ms miss dr prof
    a an the not now back later again sorry sure here there glad happy from in on at so just
    very really also still actually currently interested trying looking working going using
    having getting new old sick tired busy late done ready home fine ok okay good great bad
    afraid maybe if when your my his her their our everyone anyone someone monday tuesday
    wednesday thursday friday saturday sunday today tomorrow tonight january february march
    april may june july august september october november december asap anytime please god java
    python javascript linux windows mac english spanish french german chinese japanese korean
    american british canadian indian italian russian european asian african australian dutch
    swiss swedish mexican brazilian irish scottish polish turkish arab jewish christian catholic
    muslim buddhist hindu republican democrat vegan vegetarian it this that what which who how
    why all same yes no nothing everything ditto thanks thank hi hello hey unfortunately well
    because over me
    """
)
"""Capital or not, these do not follow "I'm" or "call me" as names."""

NO_PLACES = _words(
    """
    the a an my our your his her their this that another new bigger smaller peace fear hope it
    there here general january february march april may june july august september october
    november december python java monday tuesday wednesday thursday friday saturday sunday
    """
)

ROLES = (
    r"(?:engineer|developer|programmer|manager|designer|teacher|nurse|doctor|physician|surgeon"
    r"|lawyer|attorney|accountant|student|scientist|analyst|consultant|researcher|professor"
    r"|architect|administrator|admin|director|officer|founder|ceo|cto|cfo|coo|intern|writer"
    r"|editor|journalist|artist|musician|photographer|chef|cook|driver|pilot|technician"
    r"|electrician|plumber|carpenter|mechanic|salesperson|sales rep|representative|assistant"
    r"|secretary|recruiter|marketer|banker|trader|economist|dentist|pharmacist|therapist"
    r"|psychologist|veterinarian|coach|trainer|translator|librarian|freelancer|entrepreneur"
    r"|contractor|operator|tester|sre|dba|specialist|coordinator|planner|supervisor|clerk|cashier"
    r"|farmer|firefighter|paramedic|social worker|barista|tutor|lecturer|statistician|biologist"
    r"|chemist|physicist|mathematician|historian|postdoc|owner|team lead|tech lead)"
)
ROLES_ZH = (
    "(?:工程师|程序员|程式设计师|开发|经理|总监|主管|老师|教师|医生|护士|律师|会计|学生"
    "|研究员|设计师|分析师"
    "|顾问|教授|架构师|运营|产品|销售|测试|前端|后端|运维|财务|人事|行政|客服|助理|秘书|编辑"
    "|记者|厨师|司机"
    "|店长|老板|创始人|负责人|采购|翻译|实习生|科学家|研究生|大学生|高中生|博士|作家|画家"
    "|摄影师|公务员"
    "|自由职业者|技术员|设计|培训师|咨询师|师傅|专员)"
)

CITIES_ZH = (
    "(?:北京|上海|广州|深圳|杭州|成都|武汉|南京|西安|重庆|天津|苏州|长沙|郑州|青岛|大连|厦门"
    "|宁波|无锡|福州"
    "|济南|合肥|昆明|沈阳|哈尔滨|长春|石家庄|太原|南昌|贵阳|南宁|海口|兰州|银川|西宁|乌鲁木齐"
    "|拉萨|珠海|东莞"
    "|佛山|温州|台北|台中|高雄|台南|新竹|桃园|香港|澳门|新加坡|东京|大阪|首尔|纽约|伦敦|巴黎"
    "|柏林|悉尼|雪梨"
    "|墨尔本|多伦多|温哥华|旧金山|洛杉矶|西雅图|波士顿)"
)
NO_PLACES_ZH = (
    "(?:这|那|哪|一起|家|学校|宿舍|公司|酒店|医院|一个|附近"
    "|新(?!加坡|竹|疆|乡|西兰|北|余|德里)|里面|外面|楼上|楼下|隔壁)"
)
NO_ORGS_ZH = (
    "(?:家|这|那|外|学校|公司|办公室|线上|网上|一家|一个|医院|哪|里面|国外|路上|床上|准备"
    "|考虑|努力|认真|想|看"
    "|听|用|学|做|当|我|你|他|她)"
)
